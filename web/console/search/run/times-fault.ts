import type { CallError } from '../../../shared/api/call.ts'
import { T } from '../texts.ts'
import { givenOf, type Range } from './view.ts'

const NAMES = ['interval', 'start', 'end']

/** What is wrong with the times together, where the server has refused them; undefined: nothing. */
export function timesFault(range: Range, error: Pick<CallError, 'parameter'>): string | undefined {
  if (!NAMES.includes(error.parameter ?? '')) return undefined
  const { interval, start, end } = givenOf(range)
  if (interval !== undefined)
    return start === undefined && end === undefined ? undefined : T.times.both
  if (start === undefined) return T.times.noStart
  return end === undefined && error.parameter === 'end' ? T.times.noEnd : undefined
}
