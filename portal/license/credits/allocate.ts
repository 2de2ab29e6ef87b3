// Which grant pays what: decided anew from all grants and all usage, in the order of use. So the
// order in which reports arrive does not matter (docs/decisions/0058).
import { readAmount } from './amount.ts'
import type { Grant, Ledger, Usage } from './ledger.ts'

/** Amounts are at least zero; available + burned + expired + voided = granted. */
export type GrantFigures = {
  readonly granted: bigint
  available: bigint
  burned: bigint
  expired: bigint
  voided: bigint
}

export type Allocation = {
  readonly grants: ReadonlyMap<string, GrantFigures>
  /** Usage that no grant in force could pay. */
  readonly uncovered: bigint
}

type OpenGrant = {
  readonly grant: Grant
  readonly fromMs: number
  readonly expiresMs: number
  readonly voidedMs: number
  readonly figures: GrantFigures
}

/** As things stand at `nowMs`. Usage of later moments is paid too. */
export function allocate(ledger: Ledger, nowMs: number): Allocation {
  const open = openGrants(ledger)
  let uncovered = 0n
  for (const usage of sortUsage(ledger.usage)) uncovered += pay(open, usage)
  for (const { figures, expiresMs, voidedMs } of open) {
    if (Math.min(expiresMs, voidedMs) > nowMs) continue
    if (voidedMs < expiresMs) figures.voided = figures.available
    else figures.expired = figures.available
    figures.available = 0n
  }
  return { grants: new Map(open.map(({ grant, figures }) => [grant.id, figures])), uncovered }
}

/** In the order in which they pay: priority, then the one that expires first, then the oldest. */
function openGrants({ grants, voided }: Ledger): OpenGrant[] {
  const voidedAt = new Map(voided.map(({ grantId, at }) => [grantId, Date.parse(at)]))
  return grants
    .map((grant) => {
      const granted = readAmount(grant.amount)
      return {
        grant,
        fromMs: Date.parse(grant.effectiveAt),
        expiresMs: grant.expiresAt === null ? Infinity : Date.parse(grant.expiresAt),
        voidedMs: voidedAt.get(grant.id) ?? Infinity,
        figures: { granted, available: granted, burned: 0n, expired: 0n, voided: 0n },
      }
    })
    .sort(
      (a, b) =>
        a.grant.priority - b.grant.priority ||
        compare(a.expiresMs, b.expiresMs) ||
        a.fromMs - b.fromMs ||
        compare(a.grant.id, b.grant.id),
    )
}

/** Returns what stays uncovered. */
function pay(open: readonly OpenGrant[], { atMs, amount }: TimedUsage): bigint {
  let rest = amount
  for (const { figures, fromMs, expiresMs, voidedMs } of open) {
    if (rest === 0n) break
    if (atMs < fromMs || atMs >= expiresMs || atMs >= voidedMs) continue
    let part = figures.available
    if (rest < part) part = rest
    figures.available -= part
    figures.burned += part
    rest -= part
  }
  return rest
}

type TimedUsage = { readonly atMs: number; readonly key: string; readonly amount: bigint }

/** Of one moment by key, so that every order of reports gives the same. */
function sortUsage(usage: readonly Usage[]): TimedUsage[] {
  return usage
    .map(({ key, at, amount }) => ({ key, atMs: Date.parse(at), amount: readAmount(amount) }))
    .sort((a, b) => a.atMs - b.atMs || compare(a.key, b.key))
}

function compare<T extends number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}
