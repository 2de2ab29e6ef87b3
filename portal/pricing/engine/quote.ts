// Prices the state of an offer (decision 9.9). Pure: the same book, state, caller and day give the
// same answer to the byte. Order: list price, volume, term, promotions, by hand on the line, by
// hand on the offer, taxes, credits.
import type { PricingCaller } from '../../../schemas/portal/pricing/caller.ts'
import type { OfferState } from '../../../schemas/portal/pricing/offer-state.ts'
import type { PriceBook, PriceBookTerm } from '../../../schemas/portal/pricing/price-book.ts'
import type {
  PricingError,
  QuotedLine,
  QuoteOutcome,
} from '../../../schemas/portal/pricing/quote.ts'
import { checkState, findTerm } from './check-state.ts'
import { roundedQuotient, wholeDecimal } from './decimal.ts'
import { takeTermDiscount, takeVolumeDiscount } from './discounts/book-discounts.ts'
import { checkLimit, takeManualDiscounts } from './discounts/manual-discounts.ts'
import type { OpenLine } from './discounts/open-line.ts'
import { findPromotions, takePromotion } from './discounts/promotions.ts'
import { monthsOf } from './duration.ts'
import { findPlace, isPlace, type Place } from './place.ts'
import { isListed, type ListedLine, priceLine } from './price-line.ts'
import { addUp } from './totals.ts'
import { viewFor } from './view.ts'
import { findWarnings } from './warnings.ts'
import { printMoney } from './words.ts'

const PERIOD_DIGITS = 4

/** `date`: the day whose prices count, `2026-01-31` in UTC. `state` has the shape of its schema. */
export function quote(
  book: PriceBook,
  state: OfferState,
  caller: PricingCaller,
  date: string,
): QuoteOutcome {
  const view = viewFor(book, caller)
  const currency = state.currency ?? caller.currency
  const region = state.region ?? caller.region
  const place = findPlace(view, { currency, region, date })
  if (!isPlace(place)) return refuse(place)
  const term = findTerm(state, view)
  const priced = state.lines.map((line, at) => priceLine(line, at, { view, place, state, term }))
  const listed = priced.filter(isListed)
  const { promotions, errors } = findPromotions(view, state, place)
  const wrong = [
    ...checkState(state, view, place),
    ...priced.flatMap((line) => (isListed(line) ? [] : line)),
    ...errors,
  ]
  if (wrong.length > 0) return refuse(wrong)
  const byBook = promotions.reduce<readonly OpenLine[]>(
    (lines, promotion) => takePromotion(lines, promotion, place),
    listed.map((line) =>
      takeTermDiscount(takeVolumeDiscount(line, place.money), term, place.money),
    ),
  )
  const aboveLimit = checkLimit(byBook, state, view.discountLimit)
  if (aboveLimit.length > 0) return refuse(aboveLimit)
  const lines = takeManualDiscounts(byBook, state, place.money)
  return {
    kind: 'quoted',
    quote: {
      priceBook: { id: book.id, version: book.version },
      date,
      currency: place.currency,
      region,
      term: printTerm(term),
      months: monthsOf(
        term,
        listed.map(({ price }) => price),
      ),
      lines: lines.flatMap((line, at) => {
        const from = listed[at]
        return from === undefined ? [] : [printLine(line, from, place)]
      }),
      totals: addUp(lines, state, place.money),
      warnings: findWarnings(listed, term, place.money),
    },
  }
}

function refuse(errors: readonly PricingError[]): QuoteOutcome {
  return { kind: 'refused', errors: [...errors] }
}

function printTerm(term: PriceBookTerm | null) {
  return term === null ? null : { id: term.id, name: term.name, months: term.months }
}

function printLine(line: OpenLine, listed: ListedLine, { money }: Place): QuotedLine {
  const { item, price, quantity } = line
  const { months, monthsEach } = listed.periods
  const periods = roundedQuotient(wholeDecimal(months), wholeDecimal(monthsEach), PERIOD_DIGITS)
  return {
    item: item.sku,
    name: item.name,
    quantity: quantity.toFixed(),
    unit: quantity.eq('1') ? item.unit.one : item.unit.many,
    per: price.per,
    periods: periods.toFixed(),
    days: listed.part?.days ?? null,
    periodDays: listed.part?.periodDays ?? null,
    unitPrice: listed.unitPrice?.toFixed() ?? null,
    list: printMoney(line.list, money),
    discounts: [...line.discounts],
    net: printMoney(line.left, money),
    explanation: [...line.explanation],
  }
}
