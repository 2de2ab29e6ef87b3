// What the writer names as damage (decision 0021): damaged blocks of a batch, and that a partition
// is stopped.
import { createHash } from 'node:crypto'
import type { Damage } from '../../schemas/keep/store-damage.ts'

/** `offsets`: ascending, one at least. A replay of the batch makes the same id. */
export function blockDamage({
  partition,
  offsets,
  metMs,
}: {
  readonly partition: number
  readonly offsets: readonly number[]
  readonly metMs: number
}): Damage {
  const id = damageId(`blocks ${partition} ${offsets[0]}`)
  const events = offsets.length
  return { ...OF_ANY_LOG, id, kind: 'blocks', partition, events, toMs: metMs, foundMs: metMs }
}

/** One for each partition; a start that finds all of one moment clears it by its id. */
export function stoppedDamage(partition: number, metMs: number): Damage {
  const id = damageId(`stopped ${partition}`)
  return { ...OF_ANY_LOG, id, kind: 'stopped', partition, events: 0, toMs: null, foundMs: metMs }
}

const OF_ANY_LOG = { policyId: 0, day: 0, logId: 0, bytes: 0, fromMs: null }

/** The same for the same place, so that it is named once. */
export function damageId(place: string): string {
  return createHash('sha256').update(place).digest('hex').slice(0, 24)
}
