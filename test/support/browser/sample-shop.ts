// A day of a shop with several logs, a deployment and an outage: what pages are looked at with.
// Seeded, so that two pictures of a page differ by the page alone.

const DAY_MS = 24 * 3_600_000
const PAGES = ['/', '/search', '/cart', '/checkout', '/checkout/pay', '/account', '/img/logo.png']
const CITIES = ['Oslo', 'Rome', 'Hamburg', 'Lyon', 'Porto', 'Αθήνα', 'Київ']
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'

export type SampleEvent = Readonly<Record<string, unknown>>

/** `count` events over the day before `endMs`, oldest first. */
export function makeShopDay(count: number, endMs: number): SampleEvent[] {
  const random = makeRandom(42)
  const pick = <T>(from: readonly T[]): T => from[random(from.length)] as T
  const events: SampleEvent[] = []
  for (let at = 0; at < count; at += 1) {
    const part = at / count
    const wave = 0.02 * Math.sin(part * Math.PI * 4)
    const ms = endMs - DAY_MS + Math.floor((part + wave) * DAY_MS) - 60_000
    // Payments fail for half an hour.
    const isOutage = part > 0.79 && part < 0.815
    const time = new Date(Math.min(ms, endMs - 1000)).toISOString()
    const kind = random(10)
    if (kind < 4) events.push(makeRequest(time, random, pick, isOutage))
    else if (kind < 7) events.push(makeOrder(time, random, pick))
    else if (kind < 9) events.push(makePayment(time, random, pick, isOutage))
    else events.push(makeSystem(time, random, pick))
  }
  return events
}

type Random = (limit: number) => number
type Pick = <T>(from: readonly T[]) => T

function makeRequest(time: string, random: Random, pick: Pick, isOutage: boolean): SampleEvent {
  const status = isOutage && random(3) === 0 ? 502 : pick([200, 200, 200, 200, 200, 304, 404, 301])
  const date = `${time.slice(8, 10)}/${month(time)}/${time.slice(0, 4)}:${time.slice(11, 19)} +0000`
  const who = `203.0.113.${random(60)} - -`
  const message = `${who} [${date}] "${pick(['GET', 'GET', 'GET', 'POST'])} ${pick(PAGES)} HTTP/1.1" ${status} ${random(40_000)} "-" "${AGENT}"`
  return {
    ...{ timestamp: time, productPath: 'Shop', productName: 'requests' },
    ...{ productType: 'nginx access', host: `edge-0${1 + random(3)}`, message },
  }
}

function makeOrder(time: string, random: Random, pick: Pick): SampleEvent {
  const number = 10_000 + random(90_000)
  const said = random(12)
  const [level, message] =
    said === 0
      ? ['WARN', `stock of article ${random(500)} is low: ${random(9)} left`]
      : said < 4
        ? ['DEBUG', `cart ${number} read in ${random(90)} ms`]
        : ['INFO', `order ${number} placed with ${1 + random(6)} articles`]
  return {
    ...{ timestamp: time, productPath: 'Shop', productName: 'orders', level, message },
    ...{ service: 'orders', city: pick(CITIES), total: (random(40_000) / 100).toFixed(2) },
    trace_id: random(0xfffffff).toString(16).padStart(8, '0'),
  }
}

function makePayment(time: string, random: Random, pick: Pick, isOutage: boolean): SampleEvent {
  const number = 10_000 + random(90_000)
  const isBad = isOutage ? random(3) > 0 : random(40) === 0
  const message = isBad
    ? `timeout of upstream bank-${1 + random(3)} after 3000 ms, order ${number}`
    : `payment of order ${number} is booked`
  return {
    ...{ timestamp: time, productPath: 'Shop', productName: 'payments', message },
    ...{ level: isBad ? 'ERROR' : 'INFO', service: 'payments', city: pick(CITIES) },
    duration_ms: isBad ? 3000 : 20 + random(300),
  }
}

function makeSystem(time: string, random: Random, pick: Pick): SampleEvent {
  const pid = 100 + random(30_000)
  const message = pick([
    `sshd[${pid}]: Failed password for root from 198.51.100.${random(9)} port ${pid} ssh2`,
    `sshd[${pid}]: Accepted publickey for deploy from 192.0.2.${random(9)} port ${pid} ssh2`,
    `CRON[${pid}]: (root) CMD (/usr/local/bin/rotate)`,
    `kernel: [${pid}.${random(999)}] eth0: link is up`,
  ])
  return { ...{ timestamp: time, productPath: 'Machines', productName: 'system', message } }
}

function month(time: string): string {
  const names = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
  return names[Number(time.slice(5, 7)) - 1] ?? ''
}

/** Mulberry32: small, and the same everywhere. */
function makeRandom(seed: number): Random {
  let state = seed
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit)
  }
}

/** A dashboard over it, with a variable. */
export const SHOP_APP = {
  name: 'Shop',
  description: 'Orders and payments of the shop.',
  colour: 'green',
  timeFrame: { interval: 'last24Hours' },
  dashboards: [
    {
      name: 'Orders',
      definition: {
        description: 'What is sold, and what fails.',
        variables: [{ kind: 'column', name: 'city', column: 'city', label: 'City' }],
        widgets: [
          widget('orders', 'Orders', 'number', 'order placed city = $V | count', [0, 0, 3, 4]),
          widget('errors', 'Failed payments', 'number', 'level = ERROR city = $V | count', [
            ...[3, 0, 3, 4],
          ]),
          widget('rate', 'Events an hour', 'column', 'city = $V | count | interval 1 hour', [
            ...[6, 0, 6, 8],
          ]),
          widget('levels', 'Levels', 'donut', 'city = $V | count | group by level', [0, 4, 6, 8]),
          widget('cities', 'Orders by city', 'bar', 'order placed | count | group by city', [
            ...[6, 8, 6, 7],
          ]),
          widget('slow', 'Slowest payments', 'table', 'max duration_ms, count | group by city', [
            ...[0, 12, 6, 7],
          ]),
          widget('last', 'Last failures', 'eventList', 'level = ERROR city = $V', [0, 19, 12, 7]),
        ],
      },
    },
  ],
}

function widget(id: string, title: string, type: string, query: string, at: readonly number[]) {
  const [column, row, width, height] = at
  const asked = query.startsWith('max') ? `* | ${query}` : query
  return {
    ...{ id, title, type, query: asked.replace('$V', '$' + '{city}') },
    place: { column, row, width, height },
  }
}
