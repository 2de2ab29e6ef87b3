// Credits that usage takes (decision 0059): of each day since the licence began, the bytes at the
// licence's price. The day counts as used at its end; a corrected day is booked anew, at the price
// that it was booked at: another licence, or another price, is not of days that are over. Pure.
import { parseAmount, priceOfBytes, printAmount } from '../credits/amount.ts'
import { bookTime, reportUsage } from '../credits/book.ts'
import type { Ledger, Usage } from '../credits/ledger.ts'
import { addDays } from '../forecast/calendar.ts'
import type { UsageHistory } from '../forecast/forecast-usage.ts'

const GIB = 2 ** 30

export type Priced = {
  /** Of a GiB; undefined: usage takes nothing. */
  readonly pricePerGib: string | undefined
  /** First day of the licence. */
  readonly from: string
  /** Licences before it, the newest first: hours of their days may come late. */
  readonly earlier: readonly EarlierPrice[]
}

export type EarlierPrice = {
  readonly pricePerGib: string | undefined
  /** First and last day. */
  readonly from: string
  readonly to: string
}

/** The ledger with what is to be booked at `at`; the same one where nothing is. */
export function bookUsage(
  ledger: Ledger,
  { from, days, todayBytes = 0 }: UsageHistory,
  { pricePerGib, from: first, earlier }: Priced,
  at: string,
): Ledger {
  if (ledger.bookedAt === null && ledger.grants.length === 0) return ledger
  let next = ledger
  const known = new Map(ledger.usage.map((usage) => [usage.key, usage]))
  const today = at.slice(0, 10)
  for (const [index, bytes] of [...days, todayBytes].entries()) {
    const date = addDays(from, index)
    const old = known.get(date)
    const kept = date < today ? old?.price : undefined
    const before = earlier.find((one) => one.from <= date && date <= one.to)
    const pricePerGibThen = kept ?? (date < first ? before?.pricePerGib : pricePerGib)
    const price = pricePerGibThen === undefined ? undefined : parseAmount(pricePerGibThen)
    if (price === undefined || pricePerGibThen === undefined || bytes === null) continue
    const amount = printAmount(priceOfBytes(bytes, price))
    if (old === undefined && bytes === 0) continue
    if (old?.amount === amount && old.price === pricePerGibThen) continue
    next = booked(reportUsage(next, usageOf(date, bytes, amount, pricePerGibThen), at), next)
  }
  return booked(bookTime(next, at), next)
}

function usageOf(date: string, bytes: number, amount: string, price: string): Usage {
  const reason = `${(bytes / GIB).toFixed(2)} GiB of ${date} at ${price} a GiB`
  return { key: date, at: `${date}T23:59:59.999Z`, amount, reason, price }
}

/** A clock that went back books nothing: the next look does. */
function booked(done: ReturnType<typeof bookTime>, before: Ledger): Ledger {
  return done.kind === 'booked' ? done.ledger : before
}
