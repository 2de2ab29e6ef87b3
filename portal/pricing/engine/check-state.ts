// What is wrong with the state of an offer beyond its shape, apart from its lines.
import type { ManualDiscount, OfferState } from '../../../schemas/portal/pricing/offer-state.ts'
import type { PriceBookTerm } from '../../../schemas/portal/pricing/price-book.ts'
import type { PricingError } from '../../../schemas/portal/pricing/quote.ts'
import { parseDate } from '../../../schemas/portal/pricing/values.ts'
import { decimal, digitsAfterPoint, HUNDRED } from './decimal.ts'
import { checkPeriodOfTerm } from './duration.ts'
import { type Place, refusal } from './place.ts'
import type { BookView } from './view.ts'
import type { Currency } from './words.ts'

export function checkState(state: OfferState, view: BookView, place: Place): PricingError[] {
  const { money } = place
  return [
    ...checkTerm(state, view),
    ...checkPeriod(state),
    ...checkDiscount(state.discount, '/discount', money),
    ...state.lines.flatMap((line, at) =>
      checkDiscount(line.discount, `/lines/${at}/discount`, money),
    ),
    ...checkPeriodOfTerm(state, findTerm(state, view)),
    ...(state.taxes ?? []).flatMap(({ kind, value }, at) =>
      kind === 'amount' ? checkDigits(value, `/taxes/${at}/value`, money) : [],
    ),
    ...(state.credits ?? []).flatMap(({ amount }, at) =>
      checkDigits(amount, `/credits/${at}/amount`, money),
    ),
  ]
}

export function findTerm({ term }: OfferState, view: BookView): PriceBookTerm | null {
  return term === undefined ? null : (view.terms.get(term) ?? null)
}

function checkTerm({ term }: OfferState, { terms }: BookView): PricingError[] {
  if (term === undefined || terms.has(term)) return []
  const known = [...terms.keys()].join(', ')
  const hint = known === '' ? 'leave it out' : `use ${known}, or leave it out`
  return [refusal('unknown_term', `there is no term "${term}": ${hint}`, '/term')]
}

function checkPeriod({ period }: OfferState): PricingError[] {
  if (period === undefined) return []
  const from = parseDate(period.from) ?? 0
  const to = parseDate(period.to) ?? 0
  if (from < to) return []
  const message = 'the period ends before it begins: "to" is the first day after it'
  return [refusal('dates_out_of_order', message, '/period')]
}

function checkDiscount(
  discount: ManualDiscount | undefined,
  path: string,
  money: Currency,
): PricingError[] {
  if (discount === undefined) return []
  if (discount.kind === 'amount') return checkDigits(discount.value, `${path}/value`, money)
  if (decimal(discount.value).lte(HUNDRED)) return []
  return [refusal('percent_above_hundred', 'at most 100 percent can be taken off', `${path}/value`)]
}

/** An amount of money that was given has no more digits than its currency. */
function checkDigits(amount: string, path: string, { code, digits }: Currency): PricingError[] {
  if (digitsAfterPoint(decimal(amount)) <= digits) return []
  const message = `"${amount}" has more than the ${digits} digits after the point that ${code} has`
  return [refusal('too_many_digits', message, path)]
}
