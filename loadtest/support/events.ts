// The events of every benchmark: seeded, nine keys, about 285 bytes, so that runs and peers can be
// compared.

const SERVICES = [
  'cart',
  'checkout',
  'payments',
  'orders',
  'search',
  'catalog',
  'shipping',
  'mail',
  'auth',
  'gateway',
]
const LEVELS = ['INFO', 'INFO', 'INFO', 'INFO', 'INFO', 'DEBUG', 'DEBUG', 'WARN', 'WARN', 'ERROR']
const STATUSES = [200, 200, 200, 200, 200, 201, 204, 301, 304, 400, 401, 403, 404, 500, 502, 503]
const METHODS = ['GET', 'GET', 'GET', 'POST', 'PUT', 'DELETE']
const RESOURCES = ['orders', 'carts', 'users', 'invoices', 'products', 'sessions']
const OUTCOMES = [
  'completed normally',
  'completed normally',
  'completed normally',
  'completed from cache',
  'failed: timeout while waiting for the database pool',
  'failed: deadline exceeded in upstream call',
  'failed: payment declined by issuer',
  'connection reset by peer, will be repeated after backoff',
  'gave up after 3 retries',
  'accepted for later processing',
]

/** First event's time; each next one is 1 ms later. */
export const FIRST_EVENT_MS = Date.UTC(2026, 9, 1)

export type EventGenerator = {
  /** The next event as one line of JSON without a line end. */
  next(): string
}

/** Equal seeds give equal events. `startMs` is the time of the first. */
export function makeEvents(seed: number, startMs = FIRST_EVENT_MS, stepMs = 1): EventGenerator {
  const random = mulberry32(seed)
  const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T
  let number = 0
  return {
    next() {
      const timestamp = new Date(startMs + number * stepMs).toISOString()
      const method = pick(METHODS)
      const message = `${method} /api/v2/${pick(RESOURCES)}/${random(100_000)} from 10.${random(256)}.${random(256)}.${random(256)} ${pick(OUTCOMES)}`
      const event = {
        timestamp,
        host: `web-${String(random(40)).padStart(2, '0')}`,
        service: pick(SERVICES),
        level: pick(LEVELS),
        message,
        trace_id: hex(random) + hex(random) + hex(random) + hex(random),
        status: pick(STATUSES),
        duration_ms: random(100_000) / 100,
        thread: `worker-${random(32)}`,
      }
      number += 1
      return JSON.stringify(event)
    },
  }
}

/** NDJSON bodies of `lines` events each, `count` events in all. */
export function makeBodies(events: EventGenerator, count: number, lines: number): Buffer[] {
  const bodies: Buffer[] = []
  for (let made = 0; made < count; made += lines) {
    let body = ''
    for (let line = 0; line < Math.min(lines, count - made); line += 1) body += `${events.next()}\n`
    bodies.push(Buffer.from(body))
  }
  return bodies
}

function hex(random: (limit: number) => number): string {
  return random(0x1_0000_0000).toString(16).padStart(8, '0')
}

/** Small, well-known generator (public domain); gives integers below `limit`. */
export function mulberry32(seed: number): (limit: number) => number {
  let state = seed >>> 0
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000) * limit)
  }
}
