// Events made for the property test: logs that give one name different types, texts that differ in
// letter case alone, numbers from multiples of 1/4, equal times, days around a change of the
// clocks.

import type { Store } from '../../../../infra/store/port.ts'
import { COUNT_COLUMNS } from '../../../../schemas/store/tables.ts'
import { encodeNative, LowCardinal } from '../../store/native-encoder.ts'
import { eventsInsert, type StoredEvent } from '../../store/stored-event.ts'
import type { ReferenceEvent, ReferenceLog, ToldColumn, World } from '../run/model.ts'
import { makeRandom, type Random } from './random.ts'

type Value = string | number | boolean

/** A world, and what the product must be told of it. */
export type StoredWorld = {
  readonly world: World
  readonly columns: ReadonlyMap<number, readonly ToldColumn[]>
}

const TEXTS = ['alice', 'bob', 'Bob', 'root', 'größe', 'GRÖßE', 'ΟΔΟΣ', 'a b', 'svc_backup', 'x-1']
const METHODS = ['GET', 'get', 'Post', 'POST', 'PUT']
const LEVELS = ['DEBUG', 'info', 'INFO', 'WARN', 'Warning', 'Error', 'FATAL', 'odd']
const URLS = ['/cart/add?id=7', '/cart', '/api/v2/orders', '/api/v10/orders?x=1&y=2', '/', '/b a']
const ADDRESSES = ['10.2.3.4', '10.20.0.1', '192.168.7.9', '203.0.113.77', '::1', 'fe80::ff']
const AMOUNTS = ['1,234', ' 7 ', '1.50', '12ms', '-0.25', '1000', '2,000,000.5', 'n/a']
const DATES = [
  ...['2026-03-08T01:30:00Z', '2026-03-08 09:00:00', '2026-03-08', '2025-12-31T23:59:59.250+05:30'],
  ...['03/07/2026 23:59:59', '12/31/2025 08:00:00', '01/02/2027 00:00:00', '2026-03-08T09:00:00'],
]
const WORDS = [
  ...['timeout', 'Timeout', 'time', 'user_id', 'connection refused', 'Maß5', 'café5b', 'İstanbul'],
  ...[
    '404',
    '10.2.3.4',
    'deadbeef1234',
    'key:val',
    '/cart/add',
    '[ERROR]',
    'привет',
    '日本語',
    '...',
  ],
]
const QUARTERS = [0, 0.25, -0.5, 1, 1.75, 2, 3.25, 10, 12.5, 100, 404, 1000.75, 4096, -7]

type Maker = (random: Random) => Value

const quarter: Maker = (random) => random.pick(QUARTERS)
const from =
  (values: readonly Value[]): Maker =>
  (random) =>
    random.pick(values)

type LogKind = {
  readonly folder: readonly string[]
  readonly name: string
  readonly appTags: readonly string[]
  readonly typeWords: readonly string[]
  readonly columns: Readonly<Record<string, Maker>>
}

const KINDS: readonly LogKind[] = [
  {
    folder: ['Web', 'Edge'],
    name: 'access',
    appTags: ['Storefront', 'infra'],
    typeWords: ['httpd'],
    columns: {
      Status: from([200, 200, 302, 404, 500]),
      Method: from(METHODS),
      URL: from(URLS),
      'Bytes Sent': quarter,
      'Remote IP': from(ADDRESSES),
      User: from(TEXTS),
      host: from(['json-host']),
      Due: from(DATES),
    },
  },
  {
    folder: ['Web'],
    name: 'Access',
    appTags: ['Storefront'],
    typeWords: ['httpd', 'old'],
    columns: {
      status: from(['200', '404', 'n/a', '500', '']),
      Status: from(['404', 200]),
      Method: from([...METHODS, true]),
      user: from(TEXTS),
      Amount: from(AMOUNTS),
      trace: from(['4f3e2d1c-9a8b-7c6d-5e4f-deadbeef1234', 'ABCDEF0123456789', 'deadbeefdeadbeef']),
    },
  },
  {
    folder: ['Linux', 'SSH'],
    name: 'ssh auth',
    appTags: ['Infra'],
    typeWords: [],
    columns: {
      User: from(TEXTS),
      'Remote IP': from(ADDRESSES),
      Port: from([22, 2222, 50_000, 50_001]),
      Level: from(LEVELS),
      Method: from(['password', 'publickey']),
    },
  },
  {
    folder: ['Apps', 'Orders'],
    name: 'it\'s `a` "log"',
    appTags: [],
    typeWords: ['java'],
    columns: {
      Level: from(LEVELS),
      'process time (ms)': quarter,
      Flag: from([true, false]),
      Rule: from(['rule=12 deny tcp', 'rule=7 allow', 'no rule', 'rule=12 allow udp']),
      Amount: quarter,
      'Session ID': from(['0123456789abcdef', 'FEDCBA9876543210', 's1']),
      Due: from([...DATES, ...DATES, 'soon', 20260308]),
    },
  },
  {
    folder: ['Network'],
    name: 'fw01',
    appTags: ['Infra', 'edge'],
    typeWords: [],
    columns: {
      'Bytes Sent': from([0.25, 1024, 2048.5, '1.50', '1e3']),
      Rule: from(['rule=1 deny', 'rule=2 allow']),
      Port: from(['22', 443, 'ssh']),
      'Remote IP': from([...ADDRESSES, 5]),
      Flag: from(['true', 'no', 1]),
    },
  },
  {
    folder: ['Secret'],
    name: 'hidden',
    appTags: ['Infra'],
    typeWords: ['httpd'],
    columns: { Status: quarter, User: from(TEXTS), 'Only Here': from(['x']) },
  },
]
const HOSTS = ['web-01', 'web-02', 'Web-01', 'größe']
const SOURCES = ['Default', '/var/log/a.log', 'C:\\logs\\b.log']
const ID = /^[0-9a-fA-F-]{16,}$/

export type WorldOptions = {
  readonly seed: number
  readonly events: number
  readonly firstLogId: number
  readonly startMs: number
  readonly lengthMs: number
  readonly zone: string
}

/** The same world for the same options. */
export function makeWorld(options: WorldOptions): StoredWorld & {
  /** With those of the log that the user may not see. */
  readonly allEvents: readonly ReferenceEvent[]
} {
  const random = makeRandom(options.seed)
  const all = KINDS.map((kind, index): LogKind & ReferenceLog => ({
    ...kind,
    id: options.firstLogId + index,
  }))
  const times = Array.from(
    { length: Math.ceil(options.events * 0.8) },
    () =>
      options.startMs +
      Math.floor(random.next() * options.lengthMs * (random.chance(0.5) ? 0.2 : 1)),
  ).map((ms) => (random.chance(0.5) ? Math.floor(ms / 1000) * 1000 : ms))
  const events = Array.from({ length: options.events }, (_, arrival) =>
    makeEvent(random, random.pick(all), random.pick(times), arrival),
  )
  const logs = all.filter(({ name }) => name !== 'hidden')
  const columns = new Map(all.map((log) => [log.id, knownColumns(log, events)]))
  const names = new Map(
    [...columns].map(([id, list]) => [id, [...new Set(list.map(({ name }) => name))]]),
  )
  const window = { startMs: options.startMs, endMs: options.startMs + options.lengthMs }
  return {
    world: {
      events: events.filter(({ log }) => log.name !== 'hidden'),
      logs,
      names,
      window,
      zone: options.zone,
      nowMs: window.endMs,
    },
    columns,
    allEvents: events,
  }
}

function makeEvent(
  random: Random,
  log: LogKind & ReferenceLog,
  timestampMs: number,
  arrival: number,
): ReferenceEvent {
  const columns: Record<string, Value> = {}
  for (const [name, make] of Object.entries(log.columns)) {
    if (random.chance(0.75)) columns[name] = make(random)
  }
  let message = random.pick(WORDS)
  while (random.chance(0.6))
    message += random.pick([' ', ' ', ', ', '\t', '=']) + random.pick(WORDS)
  const isWhole = random.chance(0.1)
  return {
    log,
    arrival,
    timestampMs,
    host: random.pick(HOSTS),
    source: random.pick(SOURCES),
    message: isWhole ? JSON.stringify({ text: message }) : message,
    raw: isWhole ? JSON.stringify({ text: message }) : '',
    size: 100 + random.below(50) * 25,
    texts: [message, ...Object.values(columns).map(String)],
    columns,
  }
}

function knownColumns(
  log: LogKind & ReferenceLog,
  events: readonly ReferenceEvent[],
): ToldColumn[] {
  const own = events.filter((event) => event.log === log)
  return Object.keys(log.columns).flatMap((name, index) => {
    const kinds = new Set(
      own.flatMap(({ columns }) => {
        const value = columns[name]
        return value === undefined ? [] : [kindOf(value)]
      }),
    )
    return [...kinds].map((kind, place) => ({
      logId: log.id,
      name,
      kind,
      position: index * 4 + place,
    }))
  })
}

function kindOf(value: Value): ToldColumn['kind'] {
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'bool'
  return ID.test(value) ? 'id' : 'text'
}

/** In two parts, so that one path is LowCardinality(String) in one and String in the other, and of
 *  the first world in none: what is stored decides which texts a statement reads. And the counters
 *  of ingest. */
export async function storeWorld(
  store: Store,
  events: readonly ReferenceEvent[],
  offset: number,
  { isLow: isAllLow = false } = {},
): Promise<void> {
  const half = Math.ceil(events.length / 2)
  // All received when the last one was: an insert takes 100 days at most.
  const received = Math.max(...events.map(({ timestampMs }) => timestampMs))
  for (const [part, isLow] of [
    [events.slice(0, half), true] as const,
    [events.slice(half), offset === 0] as const,
  ]) {
    const from = offset + (part[0] === events[0] ? 0 : half)
    await store.insertNative(
      eventsInsert(
        `world-${from}`,
        part.map((event) => ({ ...toRow(event, isAllLow || isLow), received })),
        from,
      ),
    )
  }
  const counts = events.map((event) => ({
    policy: 1,
    quarter: Math.floor(received / 900_000) * 900,
    event_quarter: Math.floor(event.timestampMs / 900_000) * 900,
    log_id: event.log.id,
    host: event.host,
    source: event.source,
    partition: 0,
    events: 1,
    bytes: event.size,
    upto: offset,
  }))
  await store.insertNative({
    table: 'counts',
    columns: COUNT_COLUMNS.map(({ name }) => name),
    block: encodeNative(COUNT_COLUMNS, counts),
    queryId: `counts-${offset}`,
  })
}

function toRow(event: ReferenceEvent, isLow: boolean): StoredEvent {
  const entries = Object.entries(event.columns)
  const isId = (value: Value) => kindOf(value) === 'id'
  const values = event.texts.slice(1).filter((text) => !isId(text))
  const message = event.texts[0] ?? ''
  return {
    log_id: event.log.id,
    timestamp:
      BigInt(Math.round((event.timestampMs % 1) * 1e6)) +
      BigInt(Math.floor(event.timestampMs)) * 1_000_000n,
    host: event.host,
    source: event.source,
    message: event.raw === '' ? message : '',
    rest: [...(event.raw === '' ? [] : [message]), ...values]
      .map((value) => `\u001f${value}`)
      .join(''),
    ids: Object.fromEntries(
      entries.flatMap(([name, value]) => (isId(value) ? [[name, String(value)]] : [])),
    ),
    columns: Object.fromEntries(
      entries.flatMap(([name, value]) =>
        isId(value)
          ? []
          : [[name, isLow && typeof value === 'string' ? new LowCardinal(value) : value]],
      ),
    ),
    layout: event.raw === '' ? 'f' : 'w',
    raw: event.raw,
    size: event.size,
  }
}
