// Whether a user may see what was stored of a search that somebody made earlier.
import { readLogIds, type Seen } from '../../../schemas/monitors/seen.ts'
import { HIDING } from './masks-mark.ts'
import type { Reader, Rights } from './port.ts'

/** What a user may see at one time. */
export type Sight = {
  readonly visible: 'all' | ReadonlySet<number>
  readonly masks: readonly string[]
}

export async function readSight(
  rights: Pick<Rights, 'visibleLogs' | 'masksOf'>,
  reader: Reader,
): Promise<Sight> {
  const visible = await rights.visibleLogs(reader)
  return { visible, masks: rights.masksOf(reader) }
}

/** Every log may be viewed, and what is hidden from the user was hidden when it was stored. Null:
 *  nobody knows what it was made of, so whoever sees everything may see it. */
export function maySee(seen: Seen | null, { visible, masks }: Sight): boolean {
  if (seen === null) return visible === 'all' && masks.length === 0
  if (masks.length > 0 && seen.hiding < HIDING) return false
  if (masks.some((mask) => !seen.masks.includes(mask))) return false
  return visible === 'all' || readLogIds(seen.logs).every((id) => visible.has(id))
}

/** Whether the user sees now what he saw before. */
export function seesAsMuch(now: Sight, before: Sight): boolean {
  if (now.masks.some((mask) => !before.masks.includes(mask))) return false
  if (now.visible === 'all') return true
  const { visible } = now
  return before.visible !== 'all' && [...before.visible].every((id) => id < 0 || visible.has(id))
}
