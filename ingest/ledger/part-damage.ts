// A part that is about to be set aside as damage: searches say so from then on, until the ledger
// has counted what is missing. Pure.
import type { Damage } from '../../schemas/keep/store-damage.ts'
import { damageId } from '../writer/name-damage.ts'
import { nothingFound } from './find-damage.ts'
import { dayOf } from './unit-sums.ts'
import type { StorePart } from './verify-parts.ts'

export function partDamage({ table, name, partition, rows }: StorePart, nowMs: number): Damage {
  const [, policy = '0', date = ''] = /^(?:(\d+)-)?(\d{8})$/.exec(partition) ?? []
  return {
    // Counters have partitions of months: of no day.
    ...nothingFound({ policyId: Number(policy), day: date === '' ? 0 : dayOf(Number(date)) }),
    id: damageId(`part ${table} ${name}`),
    kind: KINDS[table] ?? 'counters',
    events: rows,
    foundMs: nowMs,
  }
}

const KINDS: Readonly<Record<string, Damage['kind']>> = { events: 'events', idempotency: 'keys' }
