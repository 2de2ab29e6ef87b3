// Which legal holds keep something of an archive, by what its row says of its logs. Pure.
import type { HeldEvents } from '../retention/legal-holds.ts'
import type { Archive } from './archives.ts'

/** Numbers of holds. */
export function heldBy(
  { policyId, logs, isForeign }: Pick<Archive, 'policyId' | 'logs' | 'isForeign'>,
  holds: readonly HeldEvents[],
): readonly number[] {
  if (isForeign) return []
  return holds
    .filter((hold) =>
      logs.some(({ id, fromMs, toMs }) => {
        const isOf =
          hold.policyId === undefined ? hold.logIds?.includes(id) : hold.policyId === policyId
        const isBefore = hold.toMs !== undefined && fromMs >= hold.toMs
        const isAfter = hold.fromMs !== undefined && toMs < hold.fromMs
        return isOf === true && !isBefore && !isAfter
      }),
    )
    .map(({ hold }) => hold)
}
