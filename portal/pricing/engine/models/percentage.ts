import type { ModelOf } from '../../../../schemas/portal/pricing/price-model.ts'
import { type Decimal, decimal, larger, smaller, sum, wholeDecimal, ZERO } from '../decimal.ts'
import { type Currency, sayMoney, sayNumber, sayPercent } from '../words.ts'
import type { Model } from './model.ts'

type Percentage = ModelOf<'percentage'>

export const percentage: Model<Percentage> = {
  price(price, { quantity, transactions, currency }) {
    const paid = paidParts(price, transactions)
    const free = quantity.minus(sum(paid))
    const charged = paid.filter((part) => part.gt(ZERO))
    const plain = sum(charged).times(decimal(price.percent)).shiftedBy(-2)
    const fees = decimal(price.fixedFee).times(wholeDecimal(charged.length))
    const amount = sum(charged.map((part) => chargeOf(price, part)))
    const of = `${sayPercent(decimal(price.percent))} of ${sayMoney(sum(charged), currency)}`
    return {
      amount,
      unitPrice: null,
      sentences: [
        ...(free.isZero() ? [] : [`${sayMoney(free, currency)} of the amount is free.`]),
        `${of}: ${sayMoney(plain, currency)}.`,
        ...(fees.isZero() ? [] : [sayFees(price, charged.length, currency)]),
        ...sayLimits(price, amount.minus(plain.plus(fees)), currency),
      ],
    }
  },
  describe: (price, { currency }) => [
    `${sayPercent(decimal(price.percent))} of the amount.`,
    ...(decimal(price.fixedFee).isZero()
      ? []
      : [`${sayMoney(decimal(price.fixedFee), currency)} for each transaction.`]),
    ...sayFree(price, currency),
    ...(price.minimumPerTransaction === null
      ? []
      : [`At least ${sayMoney(decimal(price.minimumPerTransaction), currency)} a transaction.`]),
    ...(price.maximumPerTransaction === null
      ? []
      : [`At most ${sayMoney(decimal(price.maximumPerTransaction), currency)} a transaction.`]),
  ],
}

/** Of each transaction what is not free. The free part ends with its count or its amount,
 *  whichever is first; the transaction that exceeds the amount is free up to it. */
function paidParts(price: Percentage, transactions: readonly Decimal[]): readonly Decimal[] {
  const { freeTransactions } = price
  if (price.freeAmount === null && freeTransactions === null) return transactions
  let freeLeft = price.freeAmount === null ? null : decimal(price.freeAmount)
  return transactions.map((transaction, at) => {
    if (freeTransactions !== null && at >= freeTransactions) return transaction
    if (freeLeft === null) return ZERO
    const free = smaller(freeLeft, transaction)
    freeLeft = freeLeft.minus(free)
    return transaction.minus(free)
  })
}

function chargeOf(price: Percentage, part: Decimal): Decimal {
  const { minimumPerTransaction: least, maximumPerTransaction: most } = price
  const plain = part.times(decimal(price.percent)).shiftedBy(-2).plus(decimal(price.fixedFee))
  const raised = least === null ? plain : larger(plain, decimal(least))
  return most === null ? raised : smaller(raised, decimal(most))
}

function sayFees({ fixedFee }: Percentage, count: number, currency: Currency): string {
  const fee = decimal(fixedFee)
  const times = wholeDecimal(count)
  const name = count === 1 ? 'transaction' : 'transactions'
  const each = `${sayNumber(times)} ${name} at ${sayMoney(fee, currency)} each`
  return `${each}: ${sayMoney(fee.times(times), currency)}.`
}

function sayLimits(price: Percentage, change: Decimal, currency: Currency): string[] {
  if (change.isZero()) return []
  const { minimumPerTransaction: least, maximumPerTransaction: most } = price
  const limits = [
    ...(least === null ? [] : [`at least ${sayMoney(decimal(least), currency)}`]),
    ...(most === null ? [] : [`at most ${sayMoney(decimal(most), currency)}`]),
  ]
  const word = change.gt(ZERO) ? 'adds' : 'takes off'
  const size = sayMoney(change.abs(), currency)
  return [`A transaction costs ${limits.join(' and ')}, which ${word} ${size}.`]
}

function sayFree(price: Percentage, currency: Currency): string[] {
  const { freeTransactions: count } = price
  const amount = price.freeAmount === null ? null : sayMoney(decimal(price.freeAmount), currency)
  if (count === null) return amount === null ? [] : [`The first ${amount} are free.`]
  const transactions = `The first ${count} ${count === 1 ? 'transaction' : 'transactions'}`
  if (amount === null) return [`${transactions} are free.`]
  return [`${transactions} are free, up to ${amount} in all.`]
}
