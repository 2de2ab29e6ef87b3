// acceptDamage: what the ledger names becomes entries of `gone`, so that received = held + gone
// again (decision 0021). Entries are in the store before the database forgets the damage: a break
// between the two names it once more, and the same entries are written again.
import { appendEvidence } from '../../../infra/evidence/append-evidence.ts'
import { forgetDamage, readDamage } from '../../../infra/metastore/ledger/store-damage.ts'
import type { EvidenceUnit } from '../../../schemas/keep/evidence.ts'
import {
  type Damage,
  type DamageKind,
  describeDamage,
  isNamedOnce,
  type NAMED_ONCE,
  printDay,
} from '../../../schemas/keep/store-damage.ts'
import { acceptDamage as published } from '../../../schemas/sdk/accept-damage.ts'
import { GONE_COLUMNS } from '../../../schemas/store/tables.ts'
import { serveCommand } from '../server/serve-command.ts'

/** Ids are ours: nothing else than this stands in the statement. */
const ID = /^[0-9a-f]{1,64}$/
const REASONS: Readonly<Record<Exclude<DamageKind, (typeof NAMED_ONCE)[number]>, string>> = {
  events: 'damage',
  store: 'damage',
  keys: 'damage',
  counters: 'counters',
  returned: 'returned',
}

export const acceptDamage = serveCommand(published, async (_, { clock, store, database }) => {
  const damage = await readDamage(database.read)
  const nowMs = clock.nowMs()
  const entries = damage.flatMap((one) => entryOf(one, nowMs) ?? [])
  if (entries.length > 0) {
    const columns = GONE_COLUMNS.map(({ name }) => name).join(', ')
    const values = entries.join(', ')
    await store.command({ sql: `INSERT INTO gone (${columns}) VALUES ${values}` })
  }
  return async (transaction) => {
    const ids = damage.map(({ id }) => id)
    await forgetDamage(transaction, ids)
    const units = damage.flatMap((one) => unitOf(one) ?? [])
    if (units.length > 0) {
      const content = { units, note: damage.map((one) => describeDamage(one)).join('; ') }
      await appendEvidence(transaction, 'damage', { content, atMs: nowMs })
    }
    const accepted = damage.map((one) => ({
      kind: one.kind,
      day: printDay(one.day),
      events: one.events,
      text: describeDamage(one),
    }))
    return { accepted }
  }
})

/** Of damage that is about rows of a unit. */
function unitOf({ kind, policyId, day }: Damage): EvidenceUnit | undefined {
  return isNamedOnce(kind) || day === 0 ? undefined : { policy: policyId, day }
}

/** undefined: nothing of it is gone. What damaged blocks held was not counted as received, and
 *  their bytes are events like others; events of unknown logs are held. */
function entryOf(one: Damage, nowMs: number): string | undefined {
  const { id, kind, policyId, day, logId, partition } = one
  if (isNamedOnce(kind)) return undefined
  if (!ID.test(id)) throw new Error('the id of a damage was not made here')
  // Held and not counted, or back again: the entry is a correction.
  const sign = kind === 'counters' || kind === 'returned' ? -1 : 1
  // A loss of the whole store has no day, whatever was known of it.
  const events = sign * one.events
  const bytes = sign * one.bytes
  const numbers = [policyId, day, logId, partition].map(Number).join(', ')
  const at = `fromUnixTimestamp64Milli(${Math.trunc(nowMs)})`
  return `(${numbers}, '${id}', '${REASONS[kind]}', ${events}, ${bytes}, ${at})`
}
