// A query error found after parsing.
import { Failure } from '../../../schemas/failures.ts'

/** `start`: UTF-16 code units from 0; the failure shows it from 1. */
export function raiseQuery(reason: string, start: number): never {
  throw new Failure('search.query', { position: start + 1, reason })
}
