// Damaged blocks of one batch as an item of what is damaged (decision 0021).
import { createHash } from 'node:crypto'
import type { Damage } from '../../schemas/store-damage.ts'

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
  const place = `blocks ${partition} ${offsets[0]}`
  return {
    id: createHash('sha256').update(place).digest('hex').slice(0, 24),
    kind: 'blocks',
    policyId: 0,
    day: 0,
    logId: 0,
    partition,
    events: offsets.length,
    bytes: 0,
    fromMs: null,
    toMs: metMs,
    foundMs: metMs,
  }
}
