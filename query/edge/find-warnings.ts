// What goes with an answer: what in the query may have been meant otherwise (decision 4.10), and
// which damage of the store it may have met. All of it as far as its user may know.
import type { Metastore } from '../../infra/metastore/port.ts'
import type { Rights } from '../../infra/metastore/rights/port.ts'
import { isFailure } from '../../schemas/failures.ts'
import type { Damage } from '../../schemas/store-damage.ts'
import type { TimeWindow } from '../../schemas/time/time-window.ts'
import type { Warning } from '../../schemas/warning.ts'
import { checkTimes } from '../language/check/check-times.ts'
import { readQuery } from '../language/read-query.ts'
import { damageWarnings } from '../search/damage-warnings.ts'
import type { CellStyle } from '../search/print/cell-text.ts'
import { readVisibleScope } from '../search/visible-scope.ts'

export type WarningDeps = {
  readonly metastore: Metastore & Rights
  readonly readDamage: () => Promise<readonly Damage[]>
}

/** Of a query that was answered. */
export async function findQueryWarnings(
  asked: { readonly query: string; readonly window: TimeWindow; readonly nowMs: number },
  style: CellStyle,
  userId: number,
  { metastore }: Pick<WarningDeps, 'metastore'>,
): Promise<readonly Warning[]> {
  const scope = await readVisibleScope(metastore, userId)
  try {
    const { query, warnings } = readQuery({ text: asked.query, ...scope })
    const { dateFormat, zone } = style
    const times = { ...asked, dateFormat: dateFormat.pattern, timeZone: zone.name }
    return [...warnings, ...checkTimes(query, times)]
  } catch (error) {
    // What the user may see has changed since it was answered.
    if (isFailure(error) && error.code === 'search.query') return []
    throw error
  }
}

/** `asked` undefined: what was asked is not known any more; then all that the user may know is
 *  told. */
export async function findDamageWarnings(
  asked: { readonly query: string; readonly window: TimeWindow } | undefined,
  userId: number,
  { metastore, readDamage }: WarningDeps,
): Promise<readonly Warning[]> {
  const damage = await readDamage()
  if (damage.length === 0) return []
  return damageWarnings(damage, asked, await readVisibleScope(metastore, userId))
}
