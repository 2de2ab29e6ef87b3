// The kinds of objects. A new one is its file here, its name in schemas/object-types.ts at the
// place where a configuration makes it, and a sample in test/support/data/object-samples.ts.
import type { ObjectType } from '../../../schemas/object-types.ts'
import { app } from './app.ts'
import { appTag } from './app-tag.ts'
import {
  alertTarget,
  databaseAccount,
  externalAccount,
  remoteProductAccount,
  sshAccount,
  windowsShareAccount,
} from './book-accounts.ts'
import { collectionPolicy } from './collection-policy.ts'
import { dashboard } from './dashboard.ts'
import { group } from './group.ts'
import { listener } from './listener.ts'
import { maintenanceWindow } from './monitors/maintenance-window.ts'
import { monitor } from './monitors/monitor.ts'
import { report } from './monitors/report.ts'
import type { ObjectKind } from './object-kind.ts'
import { policy } from './policy.ts'
import { scanTask } from './scan-task.ts'
import { setting } from './setting.ts'
import { syncLogTask } from './sync-log-task.ts'
import { queryTask } from './tasks/query-task.ts'
import { template } from './template.ts'
import { folder } from './tree/folder.ts'
import { log } from './tree/log.ts'
import { permission } from './tree/permission.ts'
import { user } from './user.ts'

export const OBJECT_KINDS: { readonly [T in ObjectType]: ObjectKind } = {
  alertTarget,
  app,
  appTag,
  dashboard,
  collectionPolicy,
  databaseAccount,
  queryTask,
  externalAccount,
  folder,
  group,
  listener,
  log,
  maintenanceWindow,
  monitor,
  permission,
  remoteProductAccount,
  policy,
  report,
  scanTask,
  setting,
  syncLogTask,
  template,
  sshAccount,
  user,
  windowsShareAccount,
}
