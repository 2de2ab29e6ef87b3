import { TEXTS } from './texts.ts'

/** Of a call that failed. */
type Told = { readonly status: number; readonly message: string }

/** Why something is not there, as a sentence: what the server says begins and ends as one of its
 *  failures, in lower case and without a stop. */
export function tellFailure({ status, message }: Told): string {
  if (status === 403) return TEXTS.failure.noRight
  return status === 0 ? TEXTS.failure.unreachable : TEXTS.failure.failed(withoutStop(message))
}

/** Words of the server that stand alone; a name such as `storageDays` keeps its letters. */
export function asSentence(message: string): string {
  const begun = /^[a-z]+\b(?!->)/.test(message)
    ? message.charAt(0).toUpperCase() + message.slice(1)
    : message
  return /[\p{L}\p{N}"')\]%]$/u.test(begun) ? `${begun}.` : begun
}

function withoutStop(message: string): string {
  return message.trim().replace(/\.$/, '')
}
