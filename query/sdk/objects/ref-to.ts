import type { ObjectType } from '../../../schemas/object-types.ts'
import type { ObjectRef } from './object-kind.ts'

/** None where the argument is not given, or empty for none. */
export function refTo(type: ObjectType, name = ''): ObjectRef[] {
  return name === '' ? [] : [{ type, name }]
}
