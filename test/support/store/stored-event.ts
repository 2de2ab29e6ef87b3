// Rows of `events` for tests of the store: only what matters is given.
import { EVENT_COLUMNS } from '../../../schemas/event-row.ts'
import {
  escapeOther,
  ID_SEPARATOR,
  OTHER_NAME_END,
  printNames,
  REST_SEPARATOR,
} from '../../../schemas/shown-columns.ts'
import { encodeNative, LowCardinal, type NativeValue } from './native-encoder.ts'

const NAMES = EVENT_COLUMNS.map(({ name }) => name)
/** 2026-03-01T12:00:00Z. */
export const NOON_MS = 1_772_366_400_000

/** `ids` by name. */
export type StoredEvent = Partial<
  Record<Exclude<(typeof NAMES)[number], 'ids' | 'id_names'>, NativeValue>
> & {
  readonly ids?: Readonly<Record<string, string>>
}

/** What `Store.insertNative` takes; offsets count up from `offset`. */
export function eventsInsert(queryId: string, events: readonly StoredEvent[], offset = 0) {
  const rows = events.map((event, i) => ({
    policy: 1,
    log_id: 1,
    timestamp: BigInt(NOON_MS) * 1_000_000n,
    received: NOON_MS,
    host: 'web-01',
    source: 'Default',
    partition: 0,
    offset: offset + i,
    others: othersOf(event),
    ...event,
    ...idsOf(event),
  }))
  return { table: 'events', columns: NAMES, block: encodeNative(EVENT_COLUMNS, rows), queryId }
}

/** As of an event whose `names` tell of no column. */
function othersOf({ columns }: StoredEvent): string {
  if (typeof columns !== 'object') return ''
  return Object.entries(columns)
    .map(([name, value]) =>
      printOther(name, value instanceof LowCardinal ? value.text : String(value)),
    )
    .join('')
}

/** As they are stored. */
export function idsOf({ ids = {} }: StoredEvent): { id_names: string; ids: string } {
  return {
    id_names: printNames(Object.keys(ids)),
    ids: Object.values(ids).join(ID_SEPARATOR),
  }
}

/** One column as it stands in `others`. */
export function printOther(name: string, value: string): string {
  return escapeOther(name) + OTHER_NAME_END + escapeOther(value) + REST_SEPARATOR
}
