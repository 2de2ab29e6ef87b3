// Values that price books, offers and quotes are made of. Numbers travel as text: a JSON number
// would be read as binary floating point (decision 9.9).
import { z } from 'zod'
import { daysFromDate, daysInMonth } from '../../time/time-date.ts'
import { currencyDigits } from './currencies.ts'

const DECIMAL = /^(?:0|[1-9]\d{0,11})(?:\.\d{1,12})?$/
const SIGNED_DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
const IDENTIFIER = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/

/** At most 12 digits before and 12 after the point; never negative. */
export const decimalText = z
  .string()
  .regex(
    DECIMAL,
    'must be a decimal number as text, such as "12.50": no sign, no exponent, at most 12 digits before and 12 after the point',
  )
  .meta({ examples: ['12.50'] })

/** What the engine answers: as many digits after the point as the currency has. */
export const moneyText = z.string().regex(SIGNED_DECIMAL)

export const identifier = z
  .string()
  .regex(
    IDENTIFIER,
    'must be 1 to 64 letters, digits, points, hyphens or underscores, beginning and ending with a letter or digit',
  )

export const shortText = z.string().trim().min(1).max(200)

export const currencyCode = z
  .string()
  .refine(
    (code) => currencyDigits(code) !== undefined,
    'must be a currency of ISO 4217 in capitals, such as "EUR"',
  )
  .meta({ examples: ['EUR'] })

/** A day of the calendar in UTC. */
export const dateText = z
  .string()
  .refine((text) => parseDate(text) !== undefined, 'must be a date such as "2026-01-31"')
  .meta({ examples: ['2026-01-31'] })

/** Days since 1970-01-01; undefined: no date. */
export function parseDate(text: string): number | undefined {
  const [, year, month, day] = (DATE.exec(text) ?? []).map((part) => Number(part))
  if (year === undefined || month === undefined || day === undefined) return undefined
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined
  return daysFromDate(year, month, day)
}
