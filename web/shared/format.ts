// Numbers and times as people read them.

const COUNTS = new Intl.NumberFormat('en-US')
const SHORT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

export function printCount(count: number): string {
  return COUNTS.format(count)
}

const AGGREGATE = /^(?:count|sum|avg|min|max|stdev|median|percentile|distinct)\b/i
const WHOLE = /^-?\d{4,}(?=$|\.)/

/** A cell of a table of stages: a number that a function made has separators. A value of a column
 *  stays as it is, since 88151 may be the number of an order. */
export function printMade(column: string, cell: string): string {
  if (!AGGREGATE.test(column)) return cell
  return cell.replace(WHOLE, (whole) => COUNTS.format(BigInt(whole)))
}

/** 12.3K, of what has little room. */
export function printShort(count: number): string {
  return count < 100_000 ? COUNTS.format(count) : SHORT.format(count)
}

const PERCENT = new Intl.NumberFormat('en-US', { style: 'percent', maximumSignificantDigits: 2 })

/** 0.123 is 12%; a little that is there is not 0%. */
export function printPercent(share: number): string {
  if (share > 0 && share < 0.001) return '<0.1%'
  return PERCENT.format(share)
}

/** From one count to another: +12 %, −100 %; undefined from none. */
export function printChange(from: number, to: number): string | undefined {
  if (from === 0) return undefined
  // Ten times as many and more are no matter of percents.
  if (to >= 10 * from) return `×${COUNTS.format(Math.round(to / from))}`
  const percent = Math.round((100 * (to - from)) / from)
  return `${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${COUNTS.format(Math.abs(percent))} %`
}

export type TimePrinter = {
  /** 12:03:04.120 */
  readonly time: (iso: string) => string
  /** 03-01 12:03:04.120 */
  readonly dayTime: (iso: string) => string
  /** 2026-03-01 12:03:04.120 */
  readonly full: (iso: string) => string
  /** 03-01 12:03 */
  readonly minute: (iso: string) => string
}

const printers = new Map<string, TimePrinter>()

/** `zone`: IANA name; undefined: of the browser. */
export function timePrinter(zone: string | undefined): TimePrinter {
  const key = zone ?? ''
  const known = printers.get(key)
  if (known !== undefined) return known
  const made = makePrinter(zone)
  printers.set(key, made)
  return made
}

function makePrinter(zone: string | undefined): TimePrinter {
  const format = new Intl.DateTimeFormat('en-CA', {
    ...(zone === undefined ? {} : { timeZone: zone }),
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  const read = (iso: string) => {
    const date = new Date(iso)
    const parts = Object.fromEntries(format.formatToParts(date).map((it) => [it.type, it.value]))
    const day = `${parts.month}-${parts.day}`
    const minute = `${parts.hour}:${parts.minute}`
    const fraction = (/\.(\d+)/.exec(iso)?.[1] ?? '').padEnd(3, '0')
    const exact = `${minute}:${parts.second}.${fraction}`
    const lost = fraction.length - 3
    return { year: parts.year, day, minute, exact, short: exact.slice(0, exact.length - lost) }
  }
  return {
    time: (iso) => read(iso).short,
    dayTime: (iso) => {
      const { day, short } = read(iso)
      return `${day} ${short}`
    },
    full: (iso) => {
      const { year, day, exact } = read(iso)
      return `${year}-${day} ${exact}`
    },
    minute: (iso) => {
      const { day, minute } = read(iso)
      return `${day} ${minute}`
    },
  }
}

/** UTC, GMT+1: short, for the head of a column. `zone` as of `timePrinter`. */
export function printZone(zone: string | undefined, iso: string): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'short' })
  const parts = format.formatToParts(new Date(iso))
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

/** By how much the clock of a server may be ahead. */
const MOST_SKEW_SECONDS = 10

/** 3 hours ago; in 2 days. */
export function printAge(iso: string, nowMs: number): string {
  const seconds = Math.round((nowMs - Date.parse(iso)) / 1000)
  const far = Math.abs(seconds)
  if (far < 60) return seconds < -MOST_SKEW_SECONDS ? 'in a moment' : 'just now'
  const [count, unit] =
    far < 3600
      ? [Math.floor(far / 60), 'minute']
      : far < 172_800
        ? [Math.floor(far / 3600), 'hour']
        : [Math.floor(far / 86_400), 'day']
  const words = `${count} ${unit}${count === 1 ? '' : 's'}`
  return seconds < 0 ? `in ${words}` : `${words} ago`
}
