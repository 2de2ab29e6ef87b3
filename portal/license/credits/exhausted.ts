// The day on which the credits will not pay any more.
import { allocate } from './allocate.ts'
import { printAmount } from './amount.ts'
import type { Ledger, Usage } from './ledger.ts'

/** `amount`: units of what the day will use (`priceOfBytes`). Days in order. */
export type DayBurn = { readonly date: string; readonly amount: bigint }

/** The first day of which a part stays uncovered; null: all days are covered, or nothing is used.
 *  Grants pay in their order, and those that expire before do not. */
export function findCreditsExhausted(ledger: Ledger, days: readonly DayBurn[]): string | null {
  const now = Number.NEGATIVE_INFINITY
  const before = allocate(ledger, now).uncovered
  const isUncovered = (count: number) => {
    const usage = [...ledger.usage, ...days.slice(0, count).map(toUsage)]
    return allocate({ ...ledger, usage }, now).uncovered > before
  }
  if (!isUncovered(days.length)) return null
  // The first count of days that leaves a part uncovered: more days never leave less.
  let [low, high] = [0, days.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (isUncovered(middle)) high = middle
    else low = middle
  }
  return days[high - 1]?.date ?? null
}

function toUsage({ date, amount }: DayBurn): Usage {
  return {
    key: `~${date}`,
    at: `${date}T23:59:59.999Z`,
    amount: printAmount(amount),
    reason: 'forecast',
  }
}
