// The hostile events as rows of a store, and queries compiled for them.

import type { Store } from '../../../infra/store/port.ts'
import { compileSearch } from '../../../query/language/compile-search.ts'
import type { KnownColumn, SearchableLog } from '../../../query/language/search-input.ts'
import {
  BASE_MS,
  HOSTILE_LOGS,
  type HostileEvent,
  makeHostileEvents,
  NAMES,
} from '../data/hostile-events.ts'
import type { ReferenceEvent, World } from '../reference/run/model.ts'
import { LowCardinal } from './native-encoder.ts'
import { eventsInsert, type StoredEvent } from './stored-event.ts'

export const EVENTS = makeHostileEvents(400)
/** One log is not for the user. */
export const VISIBLE = HOSTILE_LOGS.filter(({ name }) => name !== 'hidden')
/** Some events are behind its end. */
export const WINDOW = { startMs: BASE_MS, endMs: BASE_MS + 30_000 }
const KINDS = ['text', 'number', 'bool', 'id'] as const
export const COLUMNS = new Map(HOSTILE_LOGS.map(({ id }) => [id, knownColumns(id)]))

/** The same for the reference. */
export const HOSTILE_WORLD: World = {
  events: EVENTS.map(toReference),
  logs: VISIBLE,
  names: new Map(HOSTILE_LOGS.map(({ id }) => [id, NAMES])),
  window: WINDOW,
  zone: 'UTC',
  nowMs: WINDOW.endMs,
}

/** Two parts: a path is LowCardinality(String) in one and String in the other. */
export async function insertHostileEvents(store: Store): Promise<void> {
  const half = EVENTS.length / 2
  await store.insertNative(eventsInsert('a', EVENTS.slice(0, half).map(toRow(true)), 0))
  await store.insertNative(eventsInsert('b', EVENTS.slice(half).map(toRow(false)), half))
}

export function compile(text: string, visibleLogs: readonly SearchableLog[] = VISIBLE) {
  return compileSearch({
    text,
    visibleLogs,
    columns: COLUMNS,
    window: WINDOW,
    dateFormat: 'MM/dd/yyyy HH:mm:ss',
    timeZone: 'UTC',
    nowMs: WINDOW.endMs,
    maxRows: 1000,
  })
}

function toRow(isLowCardinal: boolean) {
  return (event: (typeof EVENTS)[number]): StoredEvent => ({
    log_id: event.log.id,
    timestamp: BigInt(event.timestampMs) * 1_000_000n,
    host: event.host,
    source: event.source,
    message: event.message,
    rest: event.values.map((value) => `\u001f${value}`).join(''),
    ids: event.ids,
    columns: Object.fromEntries(
      Object.entries(event.columns).map(([name, value]) => [
        name,
        isLowCardinal && typeof value === 'string' ? new LowCardinal(value) : value,
      ]),
    ),
    layout: event.isWhole ? 'w' : 'f',
    raw: event.raw,
    size: event.number,
  })
}

function toReference(event: HostileEvent): ReferenceEvent {
  return {
    log: event.log,
    arrival: event.number,
    timestampMs: event.timestampMs,
    host: event.host,
    source: event.source,
    message: event.isWhole ? event.raw : event.message,
    raw: event.raw,
    size: event.number,
    texts: [event.message, ...event.values, ...Object.values(event.ids)],
    columns: { ...event.ids, ...event.columns },
  }
}

function knownColumns(logId: number): KnownColumn[] {
  return NAMES.flatMap((name, index) =>
    KINDS.filter((kind) => EVENTS.some((event) => hasKind(event, name, kind))).map(
      (kind, place) => ({ logId, name, kind, position: index * 4 + place }),
    ),
  )
}

function hasKind(event: (typeof EVENTS)[number], name: string, kind: KnownColumn['kind']): boolean {
  if (kind === 'id') return name in event.ids
  const value = event.columns[name]
  if (typeof value === 'string') return kind === 'text'
  return typeof value === kind || (kind === 'bool' && typeof value === 'boolean')
}
