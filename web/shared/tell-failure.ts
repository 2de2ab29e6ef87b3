import type { CallError } from './api/call.ts'
import { TEXTS } from './texts.ts'

/** Why something is not there, as a sentence: what the server says begins and ends as one of its
 *  failures, in lower case and without a stop. */
export function tellFailure({ status, message }: Pick<CallError, 'status' | 'message'>): string {
  if (status === 403) return TEXTS.failure.noRight
  return status === 0 ? TEXTS.failure.unreachable : TEXTS.failure.failed(withoutStop(message))
}

/** Words of the server that stand alone; a name such as `storageDays` keeps its letters. */
export function asSentence(message: string): string {
  return /^[a-z]+\b(?!->)/.test(message)
    ? message.charAt(0).toUpperCase() + message.slice(1)
    : message
}

function withoutStop(message: string): string {
  return message.trim().replace(/\.$/, '')
}
