// A part that is about to be set aside as damage: searches say so from then on, until the ledger
// has counted what is missing. Pure.
import { createHash } from 'node:crypto'
import type { Damage } from '../../schemas/store-damage.ts'
import type { StorePart } from './verify-parts.ts'

const DAY_MS = 86_400_000

export function partDamage({ table, name, partition, rows }: StorePart, nowMs: number): Damage {
  const [, policy = '0', date = ''] = /^(?:(\d+)-)?(\d{8})$/.exec(partition) ?? []
  return {
    id: createHash('sha256').update(`part ${table} ${name}`).digest('hex').slice(0, 24),
    kind: KINDS[table] ?? 'counters',
    policyId: Number(policy),
    day: dayOf(date),
    logId: 0,
    partition: 0,
    events: rows,
    bytes: 0,
    fromMs: null,
    toMs: null,
    foundMs: nowMs,
  }
}

const KINDS: Readonly<Record<string, Damage['kind']>> = { events: 'events', idempotency: 'keys' }

/** Of `yyyymmdd`, from 1970; 0: of none. */
function dayOf(date: string): number {
  const iso = date.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')
  return date === '' ? 0 : Math.floor(Date.parse(`${iso}T00:00:00Z`) / DAY_MS)
}
