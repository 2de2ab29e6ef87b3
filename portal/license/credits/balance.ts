// What is there: now from grants and usage, at any earlier moment from the movements.
import { type Allocation, allocate, type GrantFigures } from './allocate.ts'
import { printAmount, readAmount } from './amount.ts'
import type { Grant, Ledger, Movement, Usage } from './ledger.ts'

export type GrantState = 'upcoming' | 'active' | 'used' | 'expired' | 'voided'

export type GrantBalance = {
  readonly grant: Grant
  readonly state: GrantState
  readonly available: string
  readonly burned: string
  readonly expired: string
  readonly voided: string
}

/** granted - burned - expired - voided = amount + upcoming, and none is below zero. */
export type Balance = {
  /** Of grants in force. */
  readonly amount: string
  /** Of grants that are not yet effective. */
  readonly upcoming: string
  readonly granted: string
  readonly burned: string
  readonly expired: string
  readonly voided: string
  /** Usage that no grant paid: to be invoiced. */
  readonly uncovered: string
  /** In the order in which they were granted. */
  readonly grants: readonly GrantBalance[]
}

/** `at` is not before the last booking: an expiry that no booking has met yet is counted. */
export function balanceAt(ledger: Ledger, at: string): Balance {
  return toBalance(ledger, allocate(ledger, Date.parse(at)), at)
}

/** As it was booked at `at`: later corrections are not in it. */
export function bookedBalanceAt(ledger: Ledger, at: string): Balance {
  const until = Date.parse(at)
  return toBalance(
    ledger,
    foldMovements(ledger.movements.filter((it) => Date.parse(it.at) <= until)),
    at,
  )
}

/** Of the usage of a day, which counts at its end: what grants paid, what none paid, and what
 *  grants in force had left after it. */
export function dayFigures(
  ledger: Ledger,
  { key, at, amount }: Usage,
): { readonly burned: string; readonly uncovered: string; readonly balance: string } {
  const until = (isCounted: (usage: Usage) => boolean): Ledger => ({
    ...ledger,
    usage: ledger.usage.filter(isCounted),
  })
  const dayMs = Date.parse(at)
  const before = until((usage) => Date.parse(usage.at) < dayMs)
  const after = until((usage) => Date.parse(usage.at) < dayMs || usage.key === key)
  const uncovered = allocate(after, dayMs).uncovered - allocate(before, dayMs).uncovered
  return {
    burned: printAmount(readAmount(amount) - uncovered),
    uncovered: printAmount(uncovered),
    balance: balanceAt(after, at).amount,
  }
}

/** Sums of the movements, by account. */
export function foldMovements(movements: readonly Movement[]): Allocation {
  const grants = new Map<string, GrantFigures>()
  let uncovered = 0n
  for (const { account, grantId, amount } of movements.flatMap(({ entries }) => entries)) {
    const units = readAmount(amount)
    if (account === 'uncovered') uncovered += units
    if (account === 'uncovered' || account === 'owed' || grantId === null) continue
    const old = grants.get(grantId) ?? NOTHING
    const sign = account === 'granted' ? -1n : 1n
    grants.set(grantId, { ...old, [account]: old[account] + sign * units })
  }
  return { grants, uncovered }
}

const NOTHING: GrantFigures = { granted: 0n, available: 0n, burned: 0n, expired: 0n, voided: 0n }

function toBalance(ledger: Ledger, allocation: Allocation, at: string): Balance {
  const grants = ledger.grants.flatMap((grant) => {
    const figures = allocation.grants.get(grant.id)
    return figures
      ? [{ grant, figures, isUpcoming: Date.parse(grant.effectiveAt) > Date.parse(at) }]
      : []
  })
  const total = (pick: (it: (typeof grants)[number]) => bigint) =>
    printAmount(grants.reduce((sum, it) => sum + pick(it), 0n))
  return {
    amount: total(({ figures, isUpcoming }) => (isUpcoming ? 0n : figures.available)),
    upcoming: total(({ figures, isUpcoming }) => (isUpcoming ? figures.available : 0n)),
    granted: total(({ figures }) => figures.granted),
    burned: total(({ figures }) => figures.burned),
    expired: total(({ figures }) => figures.expired),
    voided: total(({ figures }) => figures.voided),
    uncovered: printAmount(allocation.uncovered),
    grants: grants.map(({ grant, figures, isUpcoming }) => ({
      grant,
      state: stateOf(ledger, { grant, figures, isUpcoming }, at),
      available: printAmount(figures.available),
      burned: printAmount(figures.burned),
      expired: printAmount(figures.expired),
      voided: printAmount(figures.voided),
    })),
  }
}

function stateOf(
  ledger: Ledger,
  { grant, figures, isUpcoming }: { grant: Grant; figures: GrantFigures; isUpcoming: boolean },
  at: string,
): GrantState {
  const now = Date.parse(at)
  const isVoided = ledger.voided.some((it) => it.grantId === grant.id && Date.parse(it.at) <= now)
  if (isVoided) return 'voided'
  if (grant.expiresAt !== null && Date.parse(grant.expiresAt) <= now) return 'expired'
  if (isUpcoming) return 'upcoming'
  return figures.available === 0n ? 'used' : 'active'
}
