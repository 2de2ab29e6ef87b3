// How long an offer is for. Its term, its period and the periods of its prices must agree.
import type { OfferState } from '../../../schemas/portal/pricing/offer-state.ts'
import type { Price, PriceBookTerm } from '../../../schemas/portal/pricing/price-book.ts'
import type { PricingError } from '../../../schemas/portal/pricing/quote.ts'
import { parseDate } from '../../../schemas/portal/pricing/values.ts'
import { addUtcMonths } from '../../../schemas/time/time-date.ts'
import { refusal } from './place.ts'

const DAY_MS = 86_400_000
export const MONTHS_OF = { once: null, month: 1, year: 12 } as const

/** The term, else the one period that all recurring prices have; null: none recur, or they differ,
 *  so that the offer alone does not say how long it is for. */
export function monthsOf(
  term: PriceBookTerm | null,
  prices: readonly Pick<Price, 'per'>[],
): number | null {
  if (term !== null) return term.months
  const [months, ...others] = new Set(prices.flatMap(({ per }) => MONTHS_OF[per] ?? []))
  return months === undefined || others.length > 0 ? null : months
}

export function checkPeriodOfTerm(
  { period }: OfferState,
  term: PriceBookTerm | null,
): PricingError[] {
  if (period === undefined || term === null || lasts(period, term.months)) return []
  const message = `the term lasts ${sayMonths(term.months)}, the period from ${period.from} to ${period.to} does not: let them agree, or leave one out`
  return [refusal('period_differs', message, '/term')]
}

/** Without a term, the full price of a line is for one of its periods. */
export function checkPeriodOfPrice(
  { period }: OfferState,
  term: PriceBookTerm | null,
  { per }: Pick<Price, 'per'>,
  path: string,
): PricingError[] {
  const months = MONTHS_OF[per]
  if (period === undefined || term !== null || months === null || lasts(period, months)) return []
  const message = `the price is for ${sayMonths(months)}, the period lasts from ${period.from} to ${period.to}: name a term that is as long as the period`
  return [refusal('period_differs', message, `${path}/item`)]
}

export function sayMonths(months: number): string {
  return months === 1 ? '1 month' : `${months} months`
}

function lasts({ from, to }: NonNullable<OfferState['period']>, months: number): boolean {
  const fromMs = (parseDate(from) ?? 0) * DAY_MS
  return addUtcMonths(fromMs, months) === (parseDate(to) ?? 0) * DAY_MS
}
