// Where an offer is priced: day, currency and region, checked against what the caller sees.

import { currencyDigits } from '../../../schemas/portal/pricing/currencies.ts'
import type { PricingError, PricingErrorCode } from '../../../schemas/portal/pricing/quote.ts'
import { isInForce, type PricePlace } from './choose-price.ts'
import type { BookView } from './view.ts'
import type { Currency } from './words.ts'

export type Place = PricePlace & { readonly money: Currency }

export type Wanted = {
  readonly currency: string | null
  readonly region: string | null
  readonly date: string
}

/** The place, or what is wrong with it. */
export function findPlace(view: BookView, wanted: Wanted): Place | readonly PricingError[] {
  const { book, currencies } = view
  const { date, region } = wanted
  const span = { from: book.effectiveFrom, to: book.effectiveTo }
  if (!isInForce(span, date))
    return [refusal('price_book_not_in_force', `there is no price for ${date}`, '')]
  const code = wanted.currency ?? currencies[0]
  const digits = code === undefined ? undefined : currencyDigits(code)
  const errors: PricingError[] = []
  if (code === undefined || digits === undefined || !currencies.includes(code)) {
    const known = currencies.length === 0 ? 'there are no prices' : `use ${currencies.join(', ')}`
    const what = code === undefined ? 'no currency' : `no prices in ${code}`
    errors.push(refusal('unknown_currency', `there are ${what}: ${known}`, '/currency'))
  }
  if (region !== null && !book.regions.some(({ id }) => id === region)) {
    const known = book.regions.map(({ id }) => id).join(', ')
    const hint = known === '' ? 'leave the region out' : `use ${known}, or leave it out`
    errors.push(refusal('unknown_region', `there is no region "${region}": ${hint}`, '/region'))
  }
  if (errors.length > 0 || code === undefined || digits === undefined) return errors
  return { currency: code, region, date, money: { code, digits } }
}

export function isPlace(found: Place | readonly PricingError[]): found is Place {
  return 'money' in found
}

export function refusal(code: PricingErrorCode, message: string, path: string): PricingError {
  return { code, message, path }
}
