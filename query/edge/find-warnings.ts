// What goes with an answer: what in the query may have been meant otherwise (decision 4.10), and
// which damage of the store it may have met. All of it as far as its user may know.
import type { Metastore } from '../../infra/metastore/port.ts'
import type { Reader, Rights } from '../../infra/metastore/rights/port.ts'
import type { Damage } from '../../schemas/keep/store-damage.ts'
import type { TimeWindow } from '../../schemas/time/time-window.ts'
import type { Warning } from '../../schemas/warning.ts'
import { checkTimes } from '../language/check/check-times.ts'
import type { FilterInput } from '../language/compile-filter.ts'
import { readQuery } from '../language/read-query.ts'
import { damageWarnings } from '../search/damage-warnings.ts'
import { readVisibleScope, type VisibleScope } from '../search/visible-scope.ts'

export type WarningDeps = {
  readonly metastore: Metastore & Rights
  readonly readDamage: () => Promise<readonly Damage[]>
}

/** `input`: what the answer was compiled from. */
export function findQueryWarnings(input: FilterInput): readonly Warning[] {
  const { query, warnings } = readQuery(input)
  return [...warnings, ...checkTimes(query, input)]
}

/** `asked` undefined: what was asked is not known any more; then all that the user may know is
 *  told. `scope`: what he may see, where it is known. */
export async function findDamageWarnings(
  asked: { readonly query: string; readonly window: TimeWindow } | undefined,
  reader: Reader,
  { metastore, readDamage }: WarningDeps,
  scope?: VisibleScope,
): Promise<readonly Warning[]> {
  const damage = await readDamage()
  if (damage.length === 0) return []
  return damageWarnings(damage, asked, scope ?? (await readVisibleScope(metastore, reader)))
}
