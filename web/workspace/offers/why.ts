// Sentences that say how the numbers of a quote come about.
import type { Quote, QuotedLine } from '../../../schemas/portal/pricing/quote.ts'
import { WORKSPACE } from '../texts.ts'

const T = WORKSPACE.offers

type Money = (amount: string) => string

/** The engine's own sentences lead up to the list price; then come the discounts, one by one. */
export function whyLine(line: QuotedLine, of: 'list' | 'discounts', money?: Money): string[] {
  if (of === 'list') {
    const end = line.explanation.findIndex((sentence) => sentence.startsWith('The list price'))
    return line.explanation.slice(0, end === -1 ? undefined : end + 1)
  }
  return line.discounts.map(({ name, amount }) => `${name}: ${money?.(amount) ?? amount}`)
}

export function whyList({ lines }: Quote, money: Money): string[] {
  return [T.whyList, ...lines.map(({ name, list }) => `${name}: ${money(list)}`)]
}

export function whyDiscounts({ lines }: Quote, money: Money): string[] {
  return lines.flatMap(({ name, discounts }) =>
    discounts.map((discount) => `${name}, ${discount.name}: ${money(discount.amount)}`),
  )
}

export function whyNet({ totals }: Quote, money: Money): string[] {
  return [T.whyNet(money(totals.list), money(totals.discounts), money(totals.net))]
}

export function whyDue({ totals }: Quote, money: Money): string[] {
  return [
    T.whyDue({
      net: money(totals.net),
      tax: money(totals.tax),
      credits: money(totals.creditsApplied),
      due: money(totals.due),
    }),
  ]
}
