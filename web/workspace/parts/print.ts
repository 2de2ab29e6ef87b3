// Numbers and times of the workspace as people read them. Days and times are those of UTC, as the
// portal counts.
import { currencyDigits } from '../../../schemas/portal/pricing/currencies.ts'

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const
const THREE = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 })
const DAY = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'medium' })
const SHORT_DAY = new Intl.DateTimeFormat('en-GB', {
  ...{ timeZone: 'UTC', day: 'numeric', month: 'short' },
})
const TIME = new Intl.DateTimeFormat('en-GB', {
  ...{ timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit' },
})

/** 38.1 GB: decimal, as plans are. */
export function printBytes(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${THREE.format(bytes / 1000 ** step)} ${UNITS[step]}`
}

/** 1,345.22 EUR of the decimal text 1345.222918462844: rounded down, so that nobody has less than
 *  what stands there. `digits` undefined: all of them. */
export function printMoney(text: string, currency: string, digits?: number): string {
  const [whole = '0', part = ''] = text.replace('-', '').split('.')
  const kept = digits === undefined ? part : part.slice(0, digits).padEnd(digits, '0')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  const sign = text.startsWith('-') ? '−' : ''
  return `${sign}${grouped}${kept === '' ? '' : `.${kept}`} ${currency}`
}

/** With the digits of the currency. */
export function printRounded(text: string, currency: string): string {
  return printMoney(text, currency, currencyDigits(currency) ?? 2)
}

/** 24 Nov 2026 */
export function printDay(iso: string): string {
  return inThree(DAY.format(new Date(iso)))
}

/** 24 Nov */
export function printShortDay(iso: string): string {
  return inThree(SHORT_DAY.format(new Date(iso)))
}

/** 24 Nov 2026, 10:00 UTC */
export function printTime(iso: string): string {
  return `${inThree(TIME.format(new Date(iso)))} UTC`
}

/** September has four letters in British English: months stand in columns. */
function inThree(text: string): string {
  return text.replace('Sept ', 'Sep ').replace(/Sept$/, 'Sep')
}

/** A sentence of the API with its days and moments as the pages print them. */
export function printMoments(text: string): string {
  return text.replaceAll(
    /\b(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::[\d.]+)?(?: UTC|Z))?(?![\w-])/g,
    (_, day: string, minute?: string) =>
      minute === undefined ? printDay(day) : printTime(`${day}T${minute}Z`),
  )
}
