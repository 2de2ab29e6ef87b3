// Sums of an offer: lines, taxes as given, credits until nothing is due.
import type { OfferState } from '../../../schemas/portal/pricing/offer-state.ts'
import type { QuoteTotals } from '../../../schemas/portal/pricing/quote.ts'
import { decimal, smaller, sum } from './decimal.ts'
import { type OpenLine, percentOf } from './discounts/open-line.ts'
import { type Currency, printMoney } from './words.ts'

export function addUp(lines: readonly OpenLine[], state: OfferState, money: Currency): QuoteTotals {
  const list = sum(lines.map((line) => line.list))
  const net = sum(lines.map((line) => line.left))
  const taxes = (state.taxes ?? []).map(({ name, kind, value }) => {
    const given = decimal(value)
    return { name, amount: kind === 'percent' ? percentOf(net, given, money) : given }
  })
  const tax = sum(taxes.map(({ amount }) => amount))
  let due = net.plus(tax)
  const credits = (state.credits ?? []).map(({ name, amount }) => {
    const there = decimal(amount)
    const applied = smaller(there, due)
    due = due.minus(applied)
    return { name, applied, left: there.minus(applied) }
  })
  const print = (value: typeof due) => printMoney(value, money)
  return {
    list: print(list),
    discounts: print(list.minus(net)),
    net: print(net),
    taxes: taxes.map(({ name, amount }) => ({ name, amount: print(amount) })),
    tax: print(tax),
    credits: credits.map(({ name, applied, left }) => ({
      ...{ name, applied: print(applied), left: print(left) },
    })),
    creditsApplied: print(sum(credits.map(({ applied }) => applied))),
    due: print(due),
  }
}
