// A user who reads with all that his policies allow.
import type { Reader } from '../../../infra/metastore/rights/port.ts'
import { OPERATIONS } from '../../../schemas/users.ts'

/** What counts is the less of this and of his rights. */
export function readerOf(id: number): Reader {
  return { id, operations: new Set(OPERATIONS), masks: [] }
}
