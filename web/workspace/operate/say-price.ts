// A price of a book in a few words with its numbers, for the vendor. Pure.
import type { PriceModel } from '../../../schemas/portal/pricing/price-model.ts'
import { printMoney } from '../parts/print.ts'
import { WORKSPACE } from '../texts.ts'

const T = WORKSPACE.priceBooks.said
const NOTHING = '0'

/** `27.50 EUR each up to 25; 21 EUR each above`. `units`: what is counted. */
export function sayPrice(model: PriceModel, currency: string, units: string): string {
  const money = (text: string) => printMoney(text, currency)
  switch (model.kind) {
    case 'flat':
      return T.flat(money(model.amount))
    case 'per_unit':
      return [T.perUnit(money(model.unitPrice)), ...free(model.freeUnits)].join(', ')
    case 'graduated':
    case 'volume': {
      const say = model.kind === 'graduated' ? T.tier : T.volume
      return model.tiers
        .map(({ upTo, unitPrice, flatFee }) => {
          const each =
            model.tiers.length === 1 ? T.perUnit(money(unitPrice)) : say(money(unitPrice), upTo)
          return flatFee === NOTHING ? each : T.andFee(each, money(flatFee))
        })
        .join('; ')
    }
    case 'package':
      return [
        T.package(money(model.packagePrice), model.size, units),
        ...free(model.freeUnits),
      ].join(', ')
    case 'percentage':
      return [
        T.percent(model.percent),
        ...(model.fixedFee === NOTHING ? [] : [T.fee(money(model.fixedFee))]),
      ].join(', ')
    case 'graduated_percentage':
      return model.tiers.map(({ upTo, percent }) => T.percentTier(percent, upTo)).join('; ')
    case 'commitment':
      return T.commitment(money(model.amount), model.includedUnits, money(model.overagePrice))
  }
}

function free(units: string): string[] {
  return units === NOTHING ? [] : [T.free(units)]
}
