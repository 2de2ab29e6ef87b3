// What the listener says of a request, before any protocol has put it into words.
import type { Rejection, RejectionCode } from '../../../schemas/block/schema.ts'
import type { FailureCode } from '../../../schemas/failures.ts'

export type ListenerFailureCode = Extract<FailureCode, `listener.${string}`>

/** Events of a request by what became of them. */
export type Tally = {
  readonly received: number
  readonly accepted: number
  readonly rejections: readonly Pick<Rejection, 'index' | 'code'>[]
}

export function isListenerFailure(code: FailureCode): code is ListenerFailureCode {
  return code.startsWith('listener.')
}

export function rejectionFailure(code: RejectionCode): ListenerFailureCode {
  return `listener.${code}`
}
