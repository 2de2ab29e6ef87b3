import { currencyDigits } from '../../../../schemas/portal/pricing/currencies.ts'
import type { Promotion } from '../../../../schemas/portal/pricing/price-book.ts'
import { decimal, digitsAfterPoint } from '../decimal.ts'
import { type BookProblem, findRepeated, findUnknown, problem } from './book-problem.ts'
import { checkPercent, checkSpan, type KnownNames } from './check-item.ts'

export function checkPromotion(promotion: Promotion, path: string, known: KnownNames) {
  const { off } = promotion
  const skus = new Set(known.items.keys())
  const amounts = off.kind === 'percent' ? off.max : off.amounts
  const place = `${path}/off/${off.kind === 'percent' ? 'max' : 'amounts'}`
  const currencies = amounts.map(({ currency }) => currency)
  const currencyPath = (at: number) => `${place}/${at}/currency`
  return [
    ...checkSpan(promotion.from, promotion.to, `${path}/to`),
    ...findUnknown(promotion.items ?? [], skus, 'item', (at) => `${path}/items/${at}`),
    ...findUnknown(
      promotion.channels ?? [],
      known.channels,
      'channel',
      (at) => `${path}/channels/${at}`,
    ),
    ...(off.kind === 'percent' ? checkPercent(off.percent, `${path}/off/percent`) : []),
    ...findUnknown(currencies, known.currencies, 'currency', currencyPath),
    ...findRepeated(currencies, currencyPath),
    ...amounts.flatMap((one, at) => checkDigits(one, `${place}/${at}/amount`)),
  ]
}

type Amount = { readonly currency: string; readonly amount: string }

/** It is shared by the lines in whole units of the currency. */
function checkDigits({ currency, amount }: Amount, path: string): BookProblem[] {
  const digits = currencyDigits(currency) ?? 0
  if (digitsAfterPoint(decimal(amount)) <= digits) return []
  return [problem(path, `${currency} has ${digits} digits after the point`)]
}
