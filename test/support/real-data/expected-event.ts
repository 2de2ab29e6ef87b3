// What a search must say about an event, worked out from its bytes by other means than the
// product's: JSON.parse, a time parser of its own on decimal text, and a plain cutting of words.
// For real data, not for hostile data (no double keys, no 1e400).

export type ExpectedEvent = {
  readonly raw: Buffer
  /** As a search prints it; undefined: the event names no time, the time of receipt counts. */
  readonly time: string | undefined
  /** Nanoseconds since 1970, for the order; 0 without a time. */
  readonly nanos: bigint
  readonly words: ReadonlySet<string>
  /** Columns that are text, truth values or numbers (their own text), by name, to three levels. */
  readonly cells: ReadonlyMap<string, string>
}

/** Keys that may hold the time; the first one present in an event counts. */
export const USUAL_TIME_KEYS = ['timestamp', '@timestamp', 'time', 'date', 'ts', 'eventTime']
const MESSAGE_KEYS = ['message', 'msg', 'log', 'event']
const RESERVED_KEYS = ['productPath', 'productName', 'productType']
const LEVELS = 3

type Json = null | boolean | string | Json[] | { [key: string]: Json }

export function readExpectedEvent(raw: Buffer, accountTimeKey: string): ExpectedEvent {
  const text = raw.toString('utf8')
  const event = parseEvent(text)
  const timeKeys = [accountTimeKey, ...USUAL_TIME_KEYS]
  const timeKey = timeKeys.find((key) => key !== '' && event[key] !== undefined) ?? ''
  const nanos = timeKey === '' ? undefined : readTime(text, timeKey)
  const messageKey = MESSAGE_KEYS.find((key) => ['string', 'boolean'].includes(typeof event[key]))
  const words = new Set<string>()
  const cells = new Map<string, string>()
  for (const [key, value] of Object.entries(event)) {
    if (RESERVED_KEYS.includes(key)) continue
    addWords(value, words)
    if (key !== messageKey && !(key === timeKey && nanos !== undefined))
      addCells(key, value, 1, cells)
  }
  return {
    raw,
    time: nanos === undefined ? undefined : printTime(nanos),
    nanos: nanos ?? 0n,
    words,
    cells,
  }
}

/** Numbers become texts before JSON.parse, so that 3600.0 keeps its zero; in this data nothing else
 *  tells them apart. */
function parseEvent(text: string): { [key: string]: Json } {
  const tokens = /"(?:[^"\\]|\\.)*"|-?\d[-+.0-9eE]*/g
  return JSON.parse(text.replace(tokens, (token) => (token.startsWith('"') ? token : `"${token}"`)))
}

/** A key that stands in the first event, ends in a time, and is none of the usual ones; '' when
 *  there is none. */
export function findTimeKey(first: Buffer): string {
  const event = parseEvent(first.toString('utf8'))
  if (USUAL_TIME_KEYS.some((key) => event[key] !== undefined)) return ''
  const isTime = (value: Json | undefined) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)
  return Object.keys(event).find((key) => isTime(event[key])) ?? ''
}

/** The value's own text, since a double cannot hold 1588205199.82437 in nanoseconds. */
function readTime(text: string, key: string): bigint | undefined {
  const value = new RegExp(`"${key}"\\s*:\\s*("[^"]*"|[-0-9.]+)`).exec(text)?.[1] ?? ''
  if (value.startsWith('"')) return readIso(value.slice(1, -1))
  const [whole = '', fraction = ''] = value.split('.')
  const unit = whole.length <= 11 ? 1_000_000_000n : whole.length <= 14 ? 1_000_000n : 1000n
  const digits = String(unit).length - 1
  return BigInt(whole) * unit + BigInt(fraction.padEnd(digits, '0').slice(0, digits) || '0')
}

function readIso(text: string): bigint | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?Z$/.exec(text)
  if (!match) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number)
  // Days since 1970 by counting, not by Date.
  let days = 0
  for (let y = 1970; y < (year ?? 0); y += 1) days += isLeap(y) ? 366 : 365
  for (let m = 1; m < (month ?? 0); m += 1) days += daysOf(year ?? 0, m)
  days += (day ?? 1) - 1
  const seconds = ((days * 24 + (hour ?? 0)) * 60 + (minute ?? 0)) * 60 + (second ?? 0)
  return BigInt(seconds) * 1_000_000_000n + BigInt((match[7] ?? '').padEnd(9, '0'))
}

/** MM/dd/yyyy HH:mm:ss, with milliseconds when they are not zero, in UTC. */
function printTime(nanos: bigint): string {
  const ms = Number((nanos / 1_000_000n) % 1000n)
  let seconds = Number(nanos / 1_000_000_000n)
  const [second, minute, hour] = [60, 60, 24].map((base) => {
    const rest = seconds % base
    seconds = (seconds - rest) / base
    return rest
  })
  let year = 1970
  for (; seconds >= (isLeap(year) ? 366 : 365); year += 1) seconds -= isLeap(year) ? 366 : 365
  let month = 1
  for (; seconds >= daysOf(year, month); month += 1) seconds -= daysOf(year, month)
  const two = (value: number | undefined) => String(value).padStart(2, '0')
  const fraction = ms === 0 ? '' : `.${String(ms).padStart(3, '0')}`
  return `${two(month)}/${two(seconds + 1)}/${year} ${two(hour)}:${two(minute)}:${two(second)}${fraction}`
}

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

function daysOf(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

function addWords(value: Json, words: Set<string>): void {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Array.isArray(value) ? value : Object.values(value)) addWords(inner, words)
  } else if (typeof value === 'string') {
    for (const word of value.match(/[\p{L}\p{N}_]+/gu) ?? []) words.add(word.toLowerCase())
  }
}

function addCells(name: string, value: Json, level: number, cells: Map<string, string>): void {
  if (typeof value === 'string' || typeof value === 'boolean') cells.set(name, String(value))
  else if (typeof value === 'object' && value !== null && !Array.isArray(value) && level < LEVELS)
    for (const [key, inner] of Object.entries(value))
      addCells(`${name}.${key}`, inner, level + 1, cells)
}
