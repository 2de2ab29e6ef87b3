// What goes with an answer: which damage of the store it may have met, as far as its user may know
// of it.
import type { Metastore } from '../../infra/metastore/port.ts'
import type { Rights } from '../../infra/metastore/rights/port.ts'
import type { Damage } from '../../schemas/store-damage.ts'
import type { TimeWindow } from '../../schemas/time/time-window.ts'
import type { Warning } from '../../schemas/warning.ts'
import { damageWarnings } from '../search/damage-warnings.ts'
import { readVisibleScope } from '../search/visible-scope.ts'

export type WarningDeps = {
  readonly metastore: Metastore & Rights
  readonly readDamage: () => Promise<readonly Damage[]>
}

/** `asked` undefined: what was asked is not known any more; then all that the user may know is
 *  told. */
export async function findWarnings(
  asked: { readonly query: string; readonly window: TimeWindow } | undefined,
  userId: number,
  { metastore, readDamage }: WarningDeps,
): Promise<readonly Warning[]> {
  const damage = await readDamage()
  if (damage.length === 0) return []
  return damageWarnings(damage, asked, await readVisibleScope(metastore, userId))
}
