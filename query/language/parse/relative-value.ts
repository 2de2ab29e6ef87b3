// `now - 2 hours` as a value: words that make one time together (search-language#relative-times).
import { parseRelativeTime } from '../../../schemas/time/relative-time.ts'
import { parseTimeUnit } from '../../../schemas/time/time-unit.ts'
import type { Input, WordToken } from './input.ts'

/**
 * The time that begins with the word `first` and goes on in the words after it, written as one
 * word; undefined when the word stands alone. Of the time of the event (`isTime`) a sign may begin
 * it, of other columns only `now` may. Does not move.
 */
export function joinedTime(
  input: Input,
  first: WordToken,
  { isTime }: { readonly isTime: boolean },
): { readonly text: string; readonly end: number } | undefined {
  let text = input.text.slice(first.start, first.end)
  if (!/^now(?:$|[-+@])/i.test(text) && !(isTime && /^[-+@]/.test(text))) return undefined
  let { end } = first
  for (;;) {
    const token = input.token(end)
    const word = token.kind === 'word' ? input.text.slice(token.start, token.end) : ''
    if (word === '' || !goesOn(text, word)) break
    text += word
    end = token.end
  }
  if (end === first.end) return undefined
  const read = parseRelativeTime(text)
  return read.kind === 'fault'
    ? input.raise(`a time is expected: ${read.reason}`, first.start)
    : { text, end }
}

/** `-` or a sign with its number, a number after a sign, a unit after a number. */
function goesOn(text: string, word: string): boolean {
  if (/[-+@]$/.test(text)) return true
  if (/^[-+](?:$|\d|PT?\d)|^@(?:$|[a-z])/i.test(word)) return true
  const [unit = ''] = /^[a-z]+/i.exec(word) ?? []
  return /\d$/.test(text) && parseTimeUnit(unit) !== undefined
}
