// The kinds of objects. A new one is its file here, its name in schemas/object-types.ts at the
// place where a configuration makes it, and a sample in test/support/data/object-samples.ts.
import type { ObjectType } from '../../../schemas/object-types.ts'
import { folder } from './folder.ts'
import { listener } from './listener.ts'
import { log } from './log.ts'
import type { ObjectKind } from './object-kind.ts'
import { permission } from './permission.ts'
import { setting } from './setting.ts'
import { template } from './template.ts'
import { user } from './user.ts'

export const OBJECT_KINDS: { readonly [T in ObjectType]: ObjectKind } = {
  folder,
  listener,
  log,
  permission,
  setting,
  template,
  user,
}
