// The ledger of an organization in the database: its pieces are rows, and movements are added,
// never changed. What is booked is booked in the transaction that read the ledger; writers are
// serial, so no report is lost between two.
import { Failure } from '../../schemas/failures.ts'
import type { PortalReader, PortalTransaction } from '../database/open.ts'
import type { Booked } from './credits/book.ts'
import { type Ledger, openLedger } from './credits/ledger.ts'
import { ledgerPieces } from './ledger-pieces.ts'

/** `currency`: of a ledger that nobody has written to. */
export async function readLedger(
  db: PortalReader,
  organizationId: string,
  currency: string,
): Promise<Ledger> {
  const kept = db.selectFrom('credit_ledgers').selectAll()
  const head = await kept.where('organization_id', '=', organizationId).executeTakeFirst()
  if (head === undefined) return openLedger(currency)
  const grants = await db
    .selectFrom('credit_grants')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute()
  const usage = await db
    .selectFrom('credit_usage')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('key')
    .execute()
  const movements = await db
    .selectFrom('credit_movements')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('number')
    .execute()
  return {
    currency: head.currency,
    bookedAt: head.booked_at,
    grants: grants.map(({ grant }) => ledgerPieces.grant.parse(JSON.parse(grant))),
    voided: grants.flatMap(({ voided }) =>
      voided === null ? [] : [ledgerPieces.voided.parse(JSON.parse(voided))],
    ),
    usage: usage.map((row) => ledgerPieces.usage.parse(JSON.parse(row.usage))),
    movements: movements.map(({ movement }) => ledgerPieces.movement.parse(JSON.parse(movement))),
  }
}

/** Writes what is new. */
export async function keepLedger(
  transaction: PortalTransaction,
  organizationId: string,
  before: Ledger,
  after: Ledger,
): Promise<void> {
  const { currency, bookedAt } = after
  const head = { organization_id: organizationId, currency, booked_at: bookedAt }
  await transaction
    .insertInto('credit_ledgers')
    .values(head)
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(head))
    .execute()
  const knownGrants = new Set(before.grants.map(({ id }) => id))
  for (const grant of after.grants) {
    if (knownGrants.has(grant.id)) continue
    const row = { id: grant.id, organization_id: organizationId, grant: JSON.stringify(grant) }
    await transaction
      .insertInto('credit_grants')
      .values({ ...row, voided: null })
      .execute()
  }
  for (const voided of after.voided.slice(before.voided.length)) {
    const update = transaction.updateTable('credit_grants').set({ voided: JSON.stringify(voided) })
    await update.where('id', '=', voided.grantId).execute()
  }
  const known = new Map(before.usage.map((usage) => [usage.key, JSON.stringify(usage)]))
  for (const usage of after.usage) {
    const text = JSON.stringify(usage)
    if (known.get(usage.key) === text) continue
    await transaction
      .insertInto('credit_usage')
      .values({ organization_id: organizationId, key: usage.key, usage: text })
      .onConflict((conflict) =>
        conflict.columns(['organization_id', 'key']).doUpdateSet({ usage: text }),
      )
      .execute()
  }
  for (const movement of after.movements.slice(before.movements.length))
    await transaction
      .insertInto('credit_movements')
      .values({
        organization_id: organizationId,
        number: movement.number,
        movement: JSON.stringify(movement),
      })
      .execute()
}

/** Fails with portal.not_bookable, which says why. */
export function requireBooked(booked: Booked): Ledger {
  if (booked.kind === 'booked') return booked.ledger
  throw new Failure('portal.not_bookable', { reason: booked.reason })
}
