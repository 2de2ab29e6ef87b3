// A request that is not as documented: every fault of it at once.
import type { z } from 'zod'
import { Failure, type FailureCode } from '../../schemas/failures.ts'
import type { Fault } from '../../schemas/portal/common.ts'

const MAX_FAULTS = 50
const MAX_MESSAGE = 300

export class InvalidRequest extends Failure {
  readonly faults: readonly Fault[]

  /** `code`: of a request that is as documented, and cannot be done. */
  constructor(faults: readonly Fault[], code: FailureCode = 'portal.invalid_request') {
    super(code)
    this.faults = faults
  }
}

/** `at`: a pointer into the body begins with '', the name of a parameter stands alone. */
export function toInvalidRequest(error: z.ZodError): InvalidRequest {
  const issues = error.issues.flatMap(chooseIssues)
  const faults = issues.slice(0, MAX_FAULTS).flatMap((issue): Fault[] => {
    const pointer = issue.path.map((part) => `/${escapePart(part)}`).join('')
    if (issue.code !== 'unrecognized_keys')
      return [{ pointer, message: issue.message.slice(0, MAX_MESSAGE) }]
    return issue.keys.map((key) => ({
      pointer: `${pointer}/${escapePart(key)}`.slice(0, MAX_MESSAGE),
      message: 'is not known',
    }))
  })
  return new InvalidRequest(faults.slice(0, MAX_FAULTS))
}

/** Of several shapes the faults of the one that was meant: where the first fault lies deepest. */
function chooseIssues(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue]
  const depthOf = (issues: readonly z.core.$ZodIssue[]) =>
    Math.max(0, ...issues.map(({ path }) => path.length))
  const meant = issue.errors.reduce((best, one) => (depthOf(one) > depthOf(best) ? one : best))
  return meant.map((one) => ({ ...one, path: [...issue.path, ...one.path] }))
}

/** RFC 6901. */
function escapePart(part: PropertyKey): string {
  return String(part).replaceAll('~', '~0').replaceAll('/', '~1')
}
