// Regular expressions are RE2's. Everything else is refused here, with its place.
import { raiseQuery } from '../../parse/raise-query.ts'
import type { SqlParams } from '../sql-params.ts'
import { regexpFault } from './regexp-fault.ts'
import { regexpSteps } from './regexp-steps.ts'

/** `start`: where the value stands in the query. Its repetitions count towards the limit of the
 *  query. */
export function checkRegexp(regexp: string, start: number, params: SqlParams): void {
  const reason = regexpFault(regexp)
  if (reason) raiseQuery(`the regular expression ${reason}`, start)
  params.countRepeats(Math.max(0, regexpSteps(regexp) - regexp.length))
}
