// Which events of an account are not stored (docs/decisions/0090): those that its filter drops, and
// of the others all but the sampled ones. A pure function of the event, its place in the event log
// and the version of the account that it met: a replay decides alike.
import type { ListenerAccount } from '../../../schemas/listener-account.ts'
import { columnText, type SplitEvent, textAt } from '../../split/split-event.ts'

/** Shape of query/language/row-filter.ts, which roles/writer.ts hands over. */
export type ShapedRow = {
  text(): string
  column(name: string): string | undefined
  readonly host: string
  readonly source: string
  message(): string
}

/** A text: the filter cannot be read. */
export type MakeDropFilter = (filter: string) => ((row: ShapedRow) => boolean) | string

export type EventPlace = {
  readonly partition: number
  readonly offset: number
  readonly index: number
  readonly source: string
}

const SEPARATOR = '\u001f'
const MAX_FILTERS = 1000
/** Parts of the whole of which so many hundredths of a percent are kept. */
const WHOLE = 10_000

export class Shaper {
  readonly #makeFilter: MakeDropFilter | undefined
  readonly #filters = new Map<string, ((row: ShapedRow) => boolean) | undefined>()

  constructor(makeFilter: MakeDropFilter | undefined) {
    this.#makeFilter = makeFilter
  }

  isDropped(account: ListenerAccount, place: EventPlace, event: SplitEvent): boolean {
    const { dropFilter = '', sampledPercent = 100 } = account
    if (dropFilter !== '') {
      const filter = this.#filterOf(dropFilter)
      if (filter !== undefined && passes(filter, rowOf(event, place.source))) return true
    }
    if (sampledPercent >= 100) return false
    return hashPlace(account.id, place) % WHOLE >= Math.round(sampledPercent * (WHOLE / 100))
  }

  /** undefined: this program cannot read it, and drops nothing. */
  #filterOf(text: string): ((row: ShapedRow) => boolean) | undefined {
    if (this.#filters.has(text)) return this.#filters.get(text)
    const made = this.#makeFilter?.(text)
    const filter = typeof made === 'function' ? made : undefined
    if (this.#filters.size >= MAX_FILTERS) this.#filters.clear()
    this.#filters.set(text, filter)
    return filter
  }
}

/** A fault of the filter must neither lose an event nor stop the partition. */
function passes(filter: (row: ShapedRow) => boolean, row: ShapedRow): boolean {
  try {
    return filter(row)
  } catch {
    return false
  }
}

function rowOf(event: SplitEvent, source: string): ShapedRow {
  let columns: Map<string, string> | undefined
  const read = () => {
    columns ??= new Map(
      Array.from({ length: event.columnCount }, (_, i) => [
        (event.columnNames[i] ?? '').toLowerCase(),
        columnText(event, i),
      ]),
    )
    return columns
  }
  const message = () => textAt(event, event.messageAt, event.messageLength)
  return {
    host: event.host,
    source,
    message,
    column: (name) => read().get(name),
    text: () => [message(), ...read().values()].join(SEPARATOR),
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
