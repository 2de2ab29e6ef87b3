// What a price model must hold beyond its shape.
import type { PriceModel } from '../../../../schemas/portal/pricing/price-model.ts'
import { decimal, ZERO } from '../decimal.ts'
import { type BookProblem, problem } from './book-problem.ts'

export function checkModel(model: PriceModel, path: string): BookProblem[] {
  switch (model.kind) {
    case 'flat':
    case 'per_unit':
    case 'commitment':
      return []
    case 'graduated':
    case 'volume':
    case 'graduated_percentage':
      return checkTiers(model.tiers, `${path}/tiers`)
    case 'package':
      return decimal(model.size).gt(ZERO)
        ? []
        : [problem(`${path}/size`, 'a package holds more than 0 units')]
    case 'percentage': {
      const { minimumPerTransaction: least, maximumPerTransaction: most } = model
      return checkOrder(least, most, `${path}/maximumPerTransaction`)
    }
  }
}

export function checkOrder(least: string | null, most: string | null, path: string): BookProblem[] {
  if (least === null || most === null || decimal(least).lte(decimal(most))) return []
  return [problem(path, `the greatest, ${most}, is less than the least, ${least}`)]
}

function checkTiers(tiers: readonly { readonly upTo: string | null }[], path: string) {
  const problems: BookProblem[] = []
  let above = ZERO
  tiers.forEach(({ upTo }, at) => {
    const isLast = at === tiers.length - 1
    const place = `${path}/${at}/upTo`
    if (isLast && upTo !== null)
      problems.push(problem(place, 'the last tier is open: upTo must be null'))
    if (!isLast && upTo === null)
      problems.push(
        problem(place, 'only the last tier is open: give the last quantity of this one'),
      )
    if (upTo === null) return
    if (decimal(upTo).lte(above))
      problems.push(problem(place, `tiers ascend: upTo must be more than ${above.toFixed()}`))
    above = decimal(upTo)
  })
  return problems
}
