// Which events of an account are not stored (docs/decisions/0090): those that its filter drops, and
// of the others all but the sampled ones. A pure function of the event, its place in the event log
// and the version of the account that it met: a replay decides alike.
import { isFailure } from '../../../schemas/failures.ts'
import type { ListenerAccount } from '../../../schemas/listener-account.ts'
import { type FilteredEvent, toFilteredEvent } from '../../split/filtered-event.ts'
import type { SplitEvent } from '../../split/split-event.ts'

/** Throws Failure `search.query` for a text that is no filter. Handed over by whoever knows the
 *  search language. */
export type MakeDropFilter = (
  filter: string,
  known: readonly ['message', 'host', 'source'],
) => DropFilter
type DropFilter = (event: FilteredEvent) => boolean

export type EventPlace = {
  readonly partition: number
  readonly offset: number
  readonly index: number
  readonly source: string
}

const MAX_FILTERS = 1000
/** Parts of the whole of which so many hundredths of a percent are kept. */
const WHOLE = 10_000

export class Shaper {
  readonly #makeFilter: MakeDropFilter | undefined
  readonly #filters = new Map<string, DropFilter | undefined>()

  constructor(makeFilter: MakeDropFilter | undefined) {
    this.#makeFilter = makeFilter
  }

  isDropped(account: ListenerAccount, place: EventPlace, event: SplitEvent): boolean {
    const { dropFilter = '', sampledPercent = 100 } = account
    if (dropFilter !== '') {
      const filter = this.#filterOf(dropFilter)
      if (filter !== undefined && passes(filter, toFilteredEvent(event, place.source))) return true
    }
    if (sampledPercent >= 100) return false
    return hashPlace(account.id, place) % WHOLE >= Math.round(sampledPercent * (WHOLE / 100))
  }

  /** undefined: this program cannot read it, and drops nothing. */
  #filterOf(text: string): DropFilter | undefined {
    if (this.#filters.has(text)) return this.#filters.get(text)
    const filter = this.#make(text)
    if (this.#filters.size >= MAX_FILTERS) this.#filters.clear()
    this.#filters.set(text, filter)
    return filter
  }

  #make(text: string): DropFilter | undefined {
    try {
      return this.#makeFilter?.(text, ['message', 'host', 'source'])
    } catch (error) {
      if (!isFailure(error)) throw error
      return undefined
    }
  }
}

/** A fault of the filter must neither lose an event nor stop the partition. */
function passes(filter: DropFilter, event: FilteredEvent): boolean {
  try {
    return filter(event)
  } catch {
    return false
  }
}

/** FNV-1a over the numbers, with a last mixing: neighbours are far apart. */
function hashPlace(accountId: number, { partition, offset, index }: EventPlace): number {
  let hash = 0x811c9dc5
  const high = Math.floor(offset / 0x1_0000_0000)
  for (const word of [accountId, partition, offset >>> 0, high, index]) {
    for (let shift = 0; shift < 32; shift += 8) {
      hash = Math.imul(hash ^ ((word >>> shift) & 255), 0x01000193)
    }
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
