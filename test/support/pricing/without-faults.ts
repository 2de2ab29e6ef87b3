// A state of an offer without the places that errors name.
import type { OfferState } from '../../../schemas/portal/pricing/offer-state.ts'

type Fault = { readonly path: string }

/**
 * Undefined: nothing is left of it, or there is no price in its currency. An item that needs or
 * excludes another takes its line along.
 */
export function withoutFaults(state: OfferState, faults: readonly Fault[]): OfferState | undefined {
  const paths = new Set(faults.map(({ path }) => path))
  const lines = state.lines.flatMap((line, at) => {
    const place = `/lines/${at}`
    const isWhole = [place, `${place}/item`, `${place}/quantity`].some((path) => paths.has(path))
    if (isWhole) return []
    const { discount, transactions, ...rest } = line
    const keepsDiscount = discount !== undefined && !paths.has(`${place}/discount`)
    const keepsTransactions = transactions !== undefined && !paths.has(`${place}/transactions`)
    return [
      {
        ...rest,
        ...(keepsDiscount ? { discount } : {}),
        ...(keepsTransactions ? { transactions } : {}),
      },
    ]
  })
  if (lines.length === 0 || paths.has('/currency')) return undefined
  const kept = Object.entries(state).filter(([name]) => !paths.has(`/${name}`))
  const promotions = state.promotions?.filter((_, at) => !paths.has(`/promotions/${at}`))
  return { ...Object.fromEntries(kept), lines, ...(promotions === undefined ? {} : { promotions }) }
}
