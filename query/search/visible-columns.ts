// The columns whose names nothing hides. A name is tested once, not in every search: names are up
// to 1,000 characters long, and a log may have thousands.
import { setImmediate } from 'node:timers/promises'
import { makeHidesName } from '../../schemas/masking/hides-name.ts'
import type { MaskTarget } from '../../schemas/masking/mask-rule.ts'
import type { KnownColumn } from '../language/search-input.ts'

type ColumnsByLog = ReadonlyMap<number, readonly KnownColumn[]>

/** What is known of the names by what is hidden; of both as long as somebody has them. */
type NameFilter = {
  readonly hides: (name: string) => boolean
  readonly known: WeakMap<KnownColumn, boolean>
  readonly lists: WeakMap<readonly KnownColumn[], readonly KnownColumn[]>
}

const MAX_FILTERS = 16
/** Of names that are tested without a pause: some milliseconds. */
const MAX_CHARACTERS = 500_000
/** The last used at the end. */
const filters = new Map<string, NameFilter>()

/** The same list for the same one of before, also when nothing in it is hidden. Lists and columns
 *  are replaced, never changed. */
export async function removeHiddenNames(
  columns: ColumnsByLog,
  masks: readonly MaskTarget[],
): Promise<ColumnsByLog> {
  const filter = filterOf(masks)
  if (filter === undefined) return columns
  const visible = new Map<number, readonly KnownColumn[]>()
  let tested = 0
  for (const [id, list] of columns) {
    let shown = filter.lists.get(list)
    if (shown === undefined) {
      const left: KnownColumn[] = []
      for (const column of list) {
        let isHidden = filter.known.get(column)
        if (isHidden === undefined) {
          isHidden = filter.hides(column.name)
          filter.known.set(column, isHidden)
          tested += column.name.length
        }
        if (!isHidden) left.push(column)
        if (tested > MAX_CHARACTERS) {
          tested = 0
          await setImmediate()
        }
      }
      shown = left.length === list.length ? list : left
      filter.lists.set(list, shown)
    }
    visible.set(id, shown)
  }
  return visible
}

function filterOf(masks: readonly MaskTarget[]): NameFilter | undefined {
  const key = JSON.stringify(masks.filter(({ kind }) => kind !== 'column'))
  const known = filters.get(key)
  const hides = known?.hides ?? makeHidesName(masks)
  if (hides === undefined) return undefined
  const filter = known ?? { hides, known: new WeakMap(), lists: new WeakMap() }
  filters.delete(key)
  filters.set(key, filter)
  const [oldest] = filters.keys()
  if (filters.size > MAX_FILTERS && oldest !== undefined) filters.delete(oldest)
  return filter
}
