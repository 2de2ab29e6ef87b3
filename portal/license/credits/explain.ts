// Movements in sentences that a customer reads.
import { printAmount } from './amount.ts'
import type { Grant, Ledger } from './ledger.ts'

/** Of one grant, by one movement. */
export type Change = {
  /** Null: of usage that no grant pays. */
  readonly grantId: string | null
  readonly burned: bigint
  readonly expired: bigint
  readonly voided: bigint
  readonly uncovered: bigint
}

export function explainGrant(grant: Grant): string {
  return (
    `${grant.amount} ${grant.currency} were granted by ${grant.source} (grant ${grant.id}), ` +
    `usable from ${grant.effectiveAt}${untilOf(grant)}, priority ${grant.priority}.`
  )
}

export function explainBurn({
  ledger,
  changes,
  because,
}: {
  readonly ledger: Ledger
  readonly changes: readonly Change[]
  readonly because: string
}): string {
  return `${because}: ${changes.flatMap((change) => describeChange(ledger, change)).join('; ')}.`
}

export function explainExpiry({
  ledger,
  grant,
  amount,
}: {
  readonly ledger: Ledger
  readonly grant: Grant
  readonly amount: bigint
}): string {
  return `${printAmount(amount)} ${ledger.currency} of grant ${grant.id} (${grant.source}) expired unused at ${grant.expiresAt}.`
}

export function explainVoid({
  ledger,
  grant,
  changes,
  reason,
}: {
  readonly ledger: Ledger
  readonly grant: Grant
  readonly changes: readonly Change[]
  readonly reason: string
}): string {
  const amount = changes.reduce((sum, change) => sum + change.voided, 0n)
  return `The rest of grant ${grant.id} (${grant.source}), ${printAmount(amount)} ${ledger.currency}, was taken back: ${reason}.`
}

function describeChange(ledger: Ledger, change: Change): string[] {
  const { grantId, burned, expired, voided, uncovered } = change
  const amount = (value: bigint) => `${printAmount(value < 0n ? -value : value)} ${ledger.currency}`
  const grant = ledger.grants.find(({ id }) => id === grantId)
  const name = grant
    ? `grant ${grant.id} (priority ${grant.priority}${untilOf(grant)})`
    : `grant ${grantId}`
  const parts: string[] = []
  if (burned > 0n) parts.push(`${name} pays ${amount(burned)}`)
  if (burned < 0n) parts.push(`${name} gets back ${amount(burned)}`)
  if (expired < 0n) parts.push(`${amount(expired)} of it had expired since and were used in time`)
  if (expired > 0n) parts.push(`${amount(expired)} of it have expired since`)
  if (voided < 0n) parts.push(`${amount(voided)} of it had been taken back since`)
  if (voided > 0n) parts.push(`${amount(voided)} of it go with what was taken back`)
  if (uncovered > 0n) parts.push(`${amount(uncovered)} are covered by no grant`)
  if (uncovered < 0n)
    parts.push(`${amount(uncovered)} that were covered by no grant no longer are owed`)
  return parts
}

function untilOf({ expiresAt }: Grant): string {
  return expiresAt === null ? ', never expires' : `, expires ${expiresAt}`
}
