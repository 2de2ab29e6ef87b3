// Values: as text, as numbers, compared (search-language#column-tests, #functions, #order-by).
import type { Cell } from './run/model.ts'
import { compareTexts, fold } from './text.ts'
import { printMoment } from './zone.ts'

export function cellText(cell: Cell, zone: string): string {
  if (cell === null) return ''
  if (cell.kind === 'tags') return cell.texts.join(', ')
  return cell.kind === 'date' ? printMoment(cell.ms, zone) : cell.text
}

/** As a fraction of whole numbers. */
type Exact = { readonly up: bigint; readonly down: bigint }

export function exactNumber(text: string): Exact | null {
  const match = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d{1,4}))?$/i.exec(text)
  if (match === null || `${match[2]}${match[3]}` === '') return null
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n)
  const power = Number(exponent) - fraction.length
  return power >= 0
    ? { up: digits * 10n ** BigInt(power), down: 1n }
    : { up: digits, down: 10n ** BigInt(-power) }
}

/** Below 0, 0, above 0; null: one is no number. */
export function compareNumberTexts(a: string, b: string): number | null {
  const [left, right] = [exactNumber(a), exactNumber(b)]
  if (left === null || right === null) return null
  const difference = left.up * right.down - right.up * left.down
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** For functions: spaces around and thousands commas do not count; `12ms` is no number. */
export function numericValue(cell: Cell): number | null {
  if (cell?.kind === 'number') return cell.value
  if (cell?.kind !== 'text') return null
  const text = cell.text.trim()
  const plain = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?$/.test(text) ? text.replaceAll(',', '') : text
  return exactNumber(plain) === null ? null : Number(plain)
}

/** Equal values are one group: texts without letter case. */
export function identity(cell: Cell): string {
  if (cell === null) return ''
  if (cell.kind === 'date') return `date ${Math.floor(cell.ms)}`
  return fold(cell.kind === 'tags' ? cell.texts.join(', ') : cell.text)
}

/**
 * Ascending: numbers before text. Where the manual is silent, texts that are compared by something
 * else than their characters (search-language#column-tests) are sorted by it: addresses, then
 * priorities, then all others. Both present.
 */
export function compareCells(a: Cell, b: Cell): number {
  if (a?.kind === 'date' && b?.kind === 'date') return a.ms - b.ms
  const [left, right] = [placeOf(sortedText(a)), placeOf(sortedText(b))]
  if (left.kind !== right.kind) return left.kind - right.kind
  if (left.kind === NUMBER) return compareNumberTexts(left.text, right.text) ?? 0
  if (left.kind === TEXT) return compareTexts(left.text, right.text)
  return left.value < right.value ? -1 : left.value > right.value ? 1 : 0
}

const NUMBER = 0
const TEXT = 3

type Place = { readonly kind: number; readonly value: bigint; readonly text: string }

function placeOf(text: string): Place {
  if (exactNumber(text) !== null) return { kind: NUMBER, value: 0n, text }
  const address = addressOf(text)
  if (address !== null) return { kind: 1, value: address, text }
  const rank = rankOf(fold(text))
  return rank < 0 ? { kind: TEXT, value: 0n, text } : { kind: 2, value: BigInt(rank), text }
}

function sortedText(cell: Cell): string {
  if (cell === null) return ''
  if (cell.kind === 'number') return cell.exact ?? String(cell.value)
  if (cell.kind === 'date') return String(cell.ms)
  return cell.kind === 'tags' ? cell.texts.join(', ') : cell.text
}

const RANKS = 'trace debug info notice warn|warning error severe|critical alert fatal|emergency'
  .split(' ')
  .map((names) => names.split('|'))

function rankOf(folded: string): number {
  return RANKS.findIndex((names) => names.includes(folded))
}

/** How one value stands to a value of the query; null: not comparable, every plain operator is
 *  false. */
export function orderOf(cell: Cell, given: string, operator: string): number | null {
  if (cell === null || cell.kind === 'date' || cell.kind === 'tags') return null
  const byNumber = compareNumberTexts(
    cell.kind === 'number' ? (cell.exact ?? String(cell.value)) : cell.text,
    given,
  )
  if (byNumber !== null) return byNumber
  // A number is compared with nothing else.
  if (cell.kind === 'number') return null
  const [address, other] = [addressOf(cell.text), addressOf(given)]
  if (address !== null && other !== null) return address < other ? -1 : address > other ? 1 : 0
  const [rank, otherRank] = [rankOf(fold(cell.text)), rankOf(fold(given))]
  if (operator !== '=' && rank >= 0 && otherRank >= 0) return rank - otherRank
  return compareTexts(cell.text, given)
}

export function isWithin(text: string, block: string): boolean {
  const [base = '', bits] = block.split('/')
  const [address, start] = [addressOf(text), addressOf(base)]
  if (address === null || start === null) return false
  if (text.includes(':') !== base.includes(':')) return false
  const most = base.includes(':') ? 128 : 32
  const shift = BigInt(most - Number(bits ?? most))
  return address >> shift === start >> shift
}

/** Both families on one line: IPv4 as ::ffff:a.b.c.d. */
function addressOf(text: string): bigint | null {
  const parts = text.split('.')
  if (parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && +part < 256)) {
    return parts.reduce((sum, part) => sum * 256n + BigInt(part), 0xffffn)
  }
  if (!/^[0-9a-f:]+$/i.test(text) || !text.includes(':')) return null
  const [head = '', tail, ...more] = text.split('::')
  if (more.length > 0) return null
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const missing = 8 - left.length - right.length
  if (tail === undefined ? missing !== 0 : missing < 1) return null
  const groups = [...left, ...Array<string>(missing).fill('0'), ...right]
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null
  return groups.reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n)
}
