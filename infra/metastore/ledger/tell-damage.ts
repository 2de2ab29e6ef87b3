// Damage of the store as health and `doctor` tell it.

import { type Damage, describeDamage, printDay } from '../../../schemas/keep/store-damage.ts'
import { logPathKey } from '../../../schemas/names/log-path.ts'
import type { OpenedMetastore } from '../open.ts'
import { readDamage } from './store-damage.ts'

const MAX_ITEMS = 100

export type ToldDamage = {
  /** Missing, or not counted. */
  readonly events: number
  readonly items: readonly {
    readonly kind: Damage['kind']
    readonly day: string | null
    readonly log: string | null
    readonly events: number
    readonly message: string
  }[]
}

function areEvents({ kind }: Damage): boolean {
  return kind !== 'keys' && kind !== 'blocks' && kind !== 'stopped'
}

/** Undefined without any. `withLogs`: to who may know every log; others are not told how many are
 *  damaged, nor of each how much. */
export async function tellDamage(
  metastore: Pick<OpenedMetastore, 'database' | 'tree'>,
  { withLogs }: { withLogs: boolean },
): Promise<ToldDamage | undefined> {
  const damage = await readDamage(metastore.database.read)
  if (damage.length === 0) return undefined
  const { logs } = await metastore.tree()
  const items = (withLogs ? damage : byDay(damage)).slice(0, MAX_ITEMS).map((one) => {
    const known = withLogs ? logs.get(one.logId) : undefined
    const log = known && logPathKey(known.folder, known.name)
    const { kind, day, events } = one
    const message = describeDamage(one, { log })
    return { kind, day: printDay(day), log: log ?? null, events, message }
  })
  const events = damage.reduce((sum, one) => sum + (areEvents(one) ? one.events : 0), 0)
  return { events, items }
}

/** One for each kind and day. */
function byDay(damage: readonly Damage[]): readonly Damage[] {
  const sums = new Map<string, Damage>()
  for (const one of damage) {
    const key = `${one.kind} ${one.day}`
    const before = sums.get(key)
    sums.set(key, { ...one, logId: 0, events: (before?.events ?? 0) + one.events })
  }
  return [...sums.values()]
}
