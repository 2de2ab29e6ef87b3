// Events of the sample logs, so that every example query of the language's reference finds
// something. The same at every call.
import type { KnownColumn, SearchableLog } from '../../../query/language/search-input.ts'
import type { StoredWorld } from '../reference/random/random-world.ts'
import type { ReferenceEvent } from '../reference/run/model.ts'
import { SAMPLE_COLUMNS, SAMPLE_LOGS } from './sample-logs.ts'

const MINUTE_MS = 60_000
/** 2026-11-20T08:00:00Z */
const START_MS = Date.UTC(2026, 10, 20, 8)
const WINDOW = { startMs: START_MS, endMs: START_MS + 4 * 3_600_000 }
const IDENTIFIER = /^[0-9A-Fa-f-]{16,}$/

type Value = string | number
type Given = {
  readonly log: string
  readonly atMs: number
  readonly host: string
  readonly message: string
  readonly columns: Readonly<Record<string, Value>>
}

const CLIENTS = ['203.0.113.7', '203.0.113.20', '198.51.100.9', '192.0.2.44']
const URLS = ['/cart/add?id=7', '/checkout', '/api/v2/orders', '/index.html', '/api/v10/orders?x=1']

function accessEvents(): Given[] {
  return Array.from({ length: 40 }, (_, i) => {
    const method = i % 4 === 1 ? 'POST' : i % 9 === 0 ? 'get' : 'GET'
    const status = i % 5 === 3 ? 500 : i % 7 === 2 ? 404 : i % 11 === 4 ? 401 : 200
    const url = URLS[i % 5] ?? ''
    return {
      log: 'access',
      atMs: i * 5 * MINUTE_MS + (i % 3) * 250,
      host: i % 2 === 0 ? 'web-01' : 'web-02',
      message: `${method} ${url} ${status}`,
      columns: {
        'Remote IP': CLIENTS[i % 4] ?? '',
        Method: method,
        URL: url,
        Status: status,
        'Bytes Sent': 1_000_000 + i * 250_000,
        'User Agent': i % 6 === 0 ? 'crawler bot' : i % 6 === 1 ? 'bot monitor' : 'Mozilla/5.0',
        ...(i % 10 === 9 ? {} : { 'Time Taken': (i * 97) % 3100 }),
        ...(i % 3 === 0 ? { User: i % 2 === 0 ? 'alice' : 'Bob' } : {}),
        ...(i % 2 === 0 ? { Referer: 'https://shop.example/' } : {}),
      },
    }
  })
}

const NAMES = ['root', 'admin', 'svc_backup', 'guest', 'oracle', 'test', 'pi']

function sshEvents(): Given[] {
  const event = (atMs: number, host: string, text: string, columns: Given['columns']): Given => {
    return {
      log: 'ssh auth',
      atMs,
      host,
      message: `sshd: ${text}`,
      columns: { Process: 'sshd', ...columns },
    }
  }
  const failed = Array.from({ length: 56 }, (_, i) => {
    const user = NAMES[i % 7] ?? ''
    const ip = i % 28 === 5 ? '10.1.2.3' : '198.51.100.9'
    return event(3_600_000 + i * 12_000, 'bastion-1', `Failed password for ${user}`, {
      Event: 'Failed password',
      User: user,
      'Source IP': ip,
      'Source Port': 40_000 + i,
      'Auth Method': 'password',
    })
  })
  return [
    ...failed,
    event(60_000, 'db-03', 'Failed password for invalid user zed', { Event: 'Failed password' }),
    event(90_000, 'db-03', 'Accepted publickey for svc_backup', {
      Event: 'Accepted publickey',
      User: 'svc_backup',
      'Source IP': '10.1.2.4',
    }),
    event(100_000, 'db-03', 'session opened for alice', { Event: 'Session', User: 'alice' }),
    event(160_000, 'db-03', 'session closed for alice', { Event: 'Session', User: 'alice' }),
    event(200_000, 'db-03', 'session opened for bob', { Event: 'Session', User: 'bob' }),
    event(210_000, 'db-03', 'sudoers checked and exists-check done', { Event: 'Check' }),
  ]
}

const ORDER_TEXTS = [
  'ERROR order 17 rejected, payment declined code=AB12',
  'java.lang.NullPointerException in checkout',
  'order accepted',
  'timeout of the database pool',
  '[ERROR] disk full',
  'payment declined code=ZZ9',
  'opened C:\\Temp\\orders.log',
]

function orderEvents(): Given[] {
  const levels = ['ERROR', 'WARN', 'INFO', 'DEBUG', 'FATAL']
  return Array.from({ length: 21 }, (_, i) => {
    const text = ORDER_TEXTS[i % 7] ?? ''
    return {
      log: 'orders',
      atMs: i * 7 * MINUTE_MS + 40_000,
      host: i % 2 === 0 ? 'app-11' : 'app-12',
      message: text,
      columns: {
        Level: i % 7 === 1 ? 'ERROR' : (levels[i % 5] ?? ''),
        Thread: `pool-${i % 3}`,
        Logger: i % 3 === 0 ? 'com.shop.pay.Card' : 'com.shop.cart.Basket',
        'Session ID': i % 4 === 0 ? '8f31c' : `4f3e2d1c9a8b7c6${i % 10}`,
        'process time (ms)': (i * 731) % 9000,
        Text: text,
        'Remote IP': CLIENTS[i % 4] ?? '',
      },
    }
  })
}

function firewallEvents(): Given[] {
  const scan = Array.from({ length: 110 }, (_, i): Given => {
    return {
      log: 'fw01',
      atMs: 2 * 3_600_000 + i * 3000,
      host: 'fw-edge',
      message: 'connection refused by rule',
      columns: {
        Action: 'DENY',
        Protocol: 'tcp',
        'Source IP': '198.51.100.9',
        'Destination IP': '10.0.0.5',
        'Destination Port': i,
        Bytes: 60,
        Rule: `rule=${i % 4} scan`,
      },
    }
  })
  const allowed = Array.from({ length: 6 }, (_, i): Given => {
    return {
      log: 'fw01',
      atMs: 3 * 3_600_000 + i * MINUTE_MS,
      host: 'fw-edge',
      message: i === 0 ? 'link error, fail over' : 'connection allowed',
      columns: {
        Action: 'ALLOW',
        Protocol: 'udp',
        'Source IP': i % 2 === 0 ? '203.0.113.7' : '10.0.0.9',
        'Destination IP': i % 2 === 0 ? '93.184.216.34' : '10.0.0.5',
        'Destination Port': 443,
        Bytes: 600_000_000,
        Rule: 'out',
      },
    }
  })
  return [...scan, ...allowed]
}

export function makeSampleWorld(): StoredWorld {
  const given = [...accessEvents(), ...sshEvents(), ...orderEvents(), ...firewallEvents()]
  const events = given.map(toEvent)
  const columns = new Map(SAMPLE_LOGS.map((log) => [log.id, columnsOf(log, events)]))
  const names = new Map(
    [...columns].map(([id, list]) => [id, [...new Set(list.map(({ name }) => name))]] as const),
  )
  const style = { zone: 'UTC', nowMs: WINDOW.endMs }
  return { world: { events, logs: SAMPLE_LOGS, names, window: WINDOW, ...style }, columns }
}

function toEvent(
  { log: name, atMs, host, message, columns }: Given,
  arrival: number,
): ReferenceEvent {
  const log = SAMPLE_LOGS.find((known) => known.name === name)
  if (!log) throw new Error(`no log ${name}`)
  const texts = [message, ...Object.values(columns).map(String)]
  const source = name === 'orders' ? '/var/log/orders.log' : 'Default'
  const size = texts.reduce((sum, text) => sum + text.length, 40)
  const timestampMs = START_MS + atMs
  return { log, arrival, timestampMs, host, source, message, raw: '', size, texts, columns }
}

/** The sample's columns, and what else the events have, in every kind in which a value stands. */
function columnsOf({ id }: SearchableLog, events: readonly ReferenceEvent[]): KnownColumn[] {
  const kinds = new Map<string, Set<KnownColumn['kind']>>()
  for (const { name } of SAMPLE_COLUMNS.get(id) ?? []) kinds.set(name, new Set())
  for (const event of events.filter(({ log }) => log.id === id)) {
    for (const [name, value] of Object.entries(event.columns)) {
      const known = kinds.get(name) ?? new Set()
      kinds.set(name, known.add(kindOf(value)))
    }
  }
  return [...kinds].flatMap(([name, seen], place) =>
    [...seen].map((kind, index) => ({ logId: id, name, kind, position: place * 4 + index })),
  )
}

function kindOf(value: string | number | boolean): KnownColumn['kind'] {
  if (typeof value === 'number') return 'number'
  return IDENTIFIER.test(String(value)) ? 'id' : 'text'
}
