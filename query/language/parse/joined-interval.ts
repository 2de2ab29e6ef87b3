// Lengths of `interval` written as one word (search-language#interval).
import { parseTimeUnit, type TimeUnit } from '../../../schemas/time/time-unit.ts'
import type { Input } from './input.ts'

/** `5m`, `1h`: number and unit in one word. */
export function joinedInterval(
  input: Input,
  from: number,
): { readonly count: number; readonly unit: TimeUnit } | undefined {
  const token = input.token(from)
  if (token.kind !== 'word') return undefined
  const word = input.text.slice(token.start, token.end)
  const [, digits = '', letters = ''] = /^([1-9]\d{0,8})([a-z]+)$/i.exec(word) ?? []
  const unit = parseTimeUnit(letters)
  return unit && { count: Number(digits), unit }
}
