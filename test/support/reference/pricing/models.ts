// Price models as their documentation says them, unit by unit where that is the definition.
import type { PriceModel } from '../../../../schemas/portal/pricing/price-model.ts'
import {
  addUp,
  type Fraction,
  isLess,
  least,
  minus,
  most,
  NOTHING,
  over,
  plus,
  read,
  roundUp,
  times,
  whole,
} from './fraction.ts'

const HUNDREDTH = over(whole(1), whole(100))

export function modelAmount(
  model: PriceModel,
  quantity: Fraction,
  transactions: readonly Fraction[],
): Fraction {
  if (model.kind === 'flat') return read(model.amount)
  if (model.kind === 'per_unit')
    return times(most(NOTHING, minus(quantity, read(model.freeUnits))), read(model.unitPrice))
  if (model.kind === 'package') {
    const paid = most(NOTHING, minus(quantity, read(model.freeUnits)))
    return times(roundUp(over(paid, read(model.size))), read(model.packagePrice))
  }
  if (model.kind === 'commitment') {
    const above = most(NOTHING, minus(quantity, read(model.includedUnits)))
    return plus(read(model.amount), times(above, read(model.overagePrice)))
  }
  if (model.kind === 'volume') {
    const bounds = model.tiers.map(({ upTo }) => upTo)
    const at = bounds.findIndex((upTo) => upTo === null || !isLess(read(upTo), quantity))
    const { unitPrice = '0', flatFee = '0' } = model.tiers[at] ?? {}
    return plus(times(quantity, read(unitPrice)), read(flatFee))
  }
  if (model.kind === 'graduated') {
    const parts = splitByTiers(model.tiers, quantity)
    return addUp(
      model.tiers.map(({ unitPrice, flatFee }, at) => {
        const part = parts[at] ?? NOTHING
        const isReached = at === 0 || isLess(NOTHING, part)
        return isReached ? plus(times(part, read(unitPrice)), read(flatFee)) : NOTHING
      }),
    )
  }
  if (model.kind === 'graduated_percentage') {
    const parts = splitByTiers(model.tiers, quantity)
    return addUp(
      model.tiers.map(({ percent, flatFee }, at) => {
        const part = parts[at] ?? NOTHING
        if (!isLess(NOTHING, part)) return NOTHING
        return plus(times(times(part, read(percent)), HUNDREDTH), read(flatFee))
      }),
    )
  }
  return percentageAmount(model, transactions)
}

function splitByTiers(tiers: readonly { upTo: string | null }[], quantity: Fraction): Fraction[] {
  return tiers.map(({ upTo }, at) => {
    const below = read(tiers[at - 1]?.upTo ?? '0')
    const top = upTo === null ? quantity : least(quantity, read(upTo))
    return most(NOTHING, minus(top, below))
  })
}

function percentageAmount(
  model: Extract<PriceModel, { kind: 'percentage' }>,
  transactions: readonly Fraction[],
): Fraction {
  const isLimited = model.freeAmount !== null || model.freeTransactions !== null
  let before = NOTHING
  return addUp(
    transactions.map((transaction, at) => {
      const inCount = isLimited && (model.freeTransactions === null || at < model.freeTransactions)
      const room =
        model.freeAmount === null
          ? transaction
          : most(NOTHING, minus(read(model.freeAmount), before))
      const free = inCount ? least(room, transaction) : NOTHING
      before = plus(before, transaction)
      const paid = minus(transaction, free)
      if (!isLess(NOTHING, paid)) return NOTHING
      const plain = plus(times(times(paid, read(model.percent)), HUNDREDTH), read(model.fixedFee))
      const raised = most(plain, read(model.minimumPerTransaction ?? '0'))
      const { maximumPerTransaction } = model
      return maximumPerTransaction === null ? raised : least(raised, read(maximumPerTransaction))
    }),
  )
}
