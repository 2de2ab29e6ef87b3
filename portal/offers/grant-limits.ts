// What an offer gives besides its price: a plan and credits on acceptance, and credits taken off
// the total. The price book limits what goes out without an operator (decision 9.10).
import type { Offered } from '../../schemas/portal/offers.ts'
import type { PriceBook } from '../../schemas/portal/pricing/price-book.ts'
import type { Quote } from '../../schemas/portal/pricing/quote.ts'
import { decimal } from '../pricing/engine/decimal.ts'

type Plan = NonNullable<Offered['plan']>

/** `currency`: of the customer's credits. */
export function isWithinGrantLimits(
  { plan, credit }: Pick<Offered, 'plan' | 'credit'>,
  { totals, currency: priced }: Pick<Quote, 'totals' | 'currency'>,
  currency: string,
  { grantLimits }: PriceBook,
): boolean {
  const limitOf = (code: string) => grantLimits.find((one) => one.currency === code)
  const isWithin = (amount: string, code: string) =>
    decimal(amount).lte(decimal(limitOf(code)?.credit ?? '0'))
  if (!isWithin(totals.creditsApplied, priced)) return false
  if (credit !== null && !isWithin(credit, currency)) return false
  return plan === null || isPlanWithin(plan, limitOf(currency))
}

function isPlanWithin(
  { volumeBytesPerDay, creditPricePerGib = '0' }: Plan,
  limit: PriceBook['grantLimits'][number] | undefined,
): boolean {
  if (limit === undefined) return false
  const mostBytes = limit.volumeBytesPerDay
  // A plan of 0 bytes is one without a limit.
  const isVolumeWithin =
    mostBytes === null || (volumeBytesPerDay > 0 && volumeBytesPerDay <= mostBytes)
  return isVolumeWithin && decimal(creditPricePerGib).gte(decimal(limit.leastCreditPricePerGib))
}
