import type { CallError } from '../api/call.ts'
import { TEXTS } from '../texts.ts'

/** Why something is not there, as a sentence: what the server says begins and ends as one of its
 *  failures, in lower case and without a stop. */
export function tellFailure({ status, message }: Pick<CallError, 'status' | 'message'>): string {
  if (status === 403) return TEXTS.failure.noRight
  return status === 0 ? TEXTS.failure.unreachable : TEXTS.failure.failed(withoutStop(message))
}

function withoutStop(message: string): string {
  return message.trim().replace(/\.$/, '')
}
