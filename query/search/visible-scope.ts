// What a user may search: the logs that he may see and their columns (decision 4.9). Every
// compilation begins here.

import type { Metastore } from '../../infra/metastore/port.ts'
import { masksMarkOf } from '../../infra/metastore/rights/masks-mark.ts'
import type { Reader, Rights } from '../../infra/metastore/rights/port.ts'
import type { MaskTarget } from '../../schemas/masking/mask-rule.ts'
import { readViewMasks } from '../../schemas/masking/view-masks.ts'
import type { KnownColumn, SearchableLog } from '../language/search-input.ts'
import type { LogNames } from './print/event-cells.ts'
import { removeHiddenNames } from './visible-columns.ts'

export type VisibleScope = {
  readonly visibleLogs: readonly SearchableLog[]
  readonly columns: ReadonlyMap<number, readonly KnownColumn[]>
  /** What policies hide from the user; and what stands for it among the ids of logs. */
  readonly masks: readonly MaskTarget[]
  readonly masksMark: number | undefined
  /** Every log there is, also those to come. */
  readonly seesAll: boolean
  /** Names of all logs, only to print rows: the rows are of visible logs already. */
  readonly names: ReadonlyMap<number, LogNames>
}

const NO_MASKS: readonly MaskTarget[] = []
/** Scopes of users with different rights. One of 10,000 logs takes half a megabyte, and 350 bytes
 *  for each name of a column. */
const MAX_SCOPES = 16
/** By what the metastore keeps of logs and rights, the last used at the end. */
const lastScopes = new Map<object, VisibleScope>()

/** The same object as last time unless something in it has changed: compilation keeps what it makes
 *  of thousands of logs by it (known-columns.ts). */
export async function readVisibleScope(
  metastore: Metastore & Rights,
  reader: Reader,
): Promise<VisibleScope> {
  const [{ logs: names }, visible] = await Promise.all([
    metastore.tree(),
    metastore.visibleLogs(reader),
  ])
  const seesAll = visible === 'all'
  const key = seesAll ? names : visible
  const last = lastScopes.get(key)
  const known = last?.names === names ? last : undefined
  const visibleLogs =
    known?.visibleLogs ??
    (seesAll ? [...names.values()] : [...visible].flatMap((id) => names.get(id) ?? []))
  const masksMark = seesAll ? undefined : masksMarkOf(visible)
  const masks = masksMark === undefined ? NO_MASKS : readViewMasks(metastore.masksOf(reader))
  const all = await metastore.columns(visibleLogs.map(({ id }) => id))
  const columns = await removeHiddenNames(all, masks)
  const isSame = known !== undefined && haveSameLists(known.columns, columns)
  const scope = isSame ? known : { visibleLogs, columns, masks, masksMark, seesAll, names }
  keep(key, scope)
  return scope
}

function keep(key: object, scope: VisibleScope): void {
  lastScopes.delete(key)
  lastScopes.set(key, scope)
  const [oldest] = lastScopes.keys()
  for (const [other, { names }] of lastScopes)
    if (names !== scope.names || (other === oldest && lastScopes.size > MAX_SCOPES))
      lastScopes.delete(other)
}

/** A log's list is replaced when a column is new, never changed. */
function haveSameLists(before: VisibleScope['columns'], now: VisibleScope['columns']): boolean {
  if (before.size !== now.size) return false
  for (const [id, list] of now) if (before.get(id) !== list) return false
  return true
}
