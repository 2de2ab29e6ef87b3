// What rules of masking cost the listener: `npm run bench:mask`. An event of usual size with five
// rules, without a hit and with one, beside one look at each of its bytes in the same run. CPU
// time, the best of some rounds, so that a busy machine counts less.
import { makeMaskHash } from '../../ingest/listener/masking/mask-hash.ts'
import { Masker } from '../../ingest/mask/masker.ts'
import { readMaskRules } from '../../schemas/masking/mask-rule.ts'

const ROUNDS = 12
const EVENTS = 50_000
const AIM_PLAIN_US = 1
const AIM_HIT_US = 10
const RULES = [
  ...['hash email', 'replace *** card', 'hash ipv4', 'hash ipv6'],
  'cut column user.password',
]

const plain = {
  timestamp: '2026-11-25T06:40:07.123Z',
  level: 'info',
  service: 'checkout',
  msg: 'order 8812 shipped in 32 ms to warehouse 7, retry 0 of 3',
  trace: '4bf92f3577b34da6a3ce929d0e0e4736',
  duration: 32.5,
  status: 200,
  path: '/api/v1/orders/8812',
  user: { id: 77123, plan: 'pro' },
}

const masker = new Masker(readMaskRules(RULES), makeMaskHash(Buffer.alloc(32, 1)))
const event = Buffer.from(JSON.stringify(plain))
// Each has another value: none is a hash that was made before.
const hits = Array.from({ length: EVENTS }, (_, n) =>
  Buffer.from(JSON.stringify({ ...plain, msg: `order 8812 shipped to person${n}@example.com` })),
)
const wanted = new Uint8Array(256)
wanted[0x40] = 1

function mask(bytes: Buffer): number {
  return masker.mask(bytes, { start: 0, end: bytes.length, kind: 'json' }) === undefined ? 0 : 1
}

function look(bytes: Buffer): number {
  let found = 0
  for (let i = 0; i < bytes.length; i += 1) found += wanted[bytes[i] ?? 0] ?? 0
  return found
}

const ways: readonly (readonly [name: string, run: (n: number) => number, aimUs?: number])[] = [
  ['a look at each byte', () => look(event)],
  ['five rules, no hit', () => mask(event), AIM_PLAIN_US],
  ['five rules, one hit', (n) => mask(hits[n] ?? event), AIM_HIT_US],
]
const best = new Map<string, number>()
for (let round = 0; round < ROUNDS; round += 1)
  for (const [name, run] of ways) {
    const before = process.cpuUsage()
    let found = 0
    for (let n = 0; n < EVENTS; n += 1) found += run(n)
    const { user, system } = process.cpuUsage(before)
    if (found !== (name.endsWith('one hit') ? EVENTS : 0)) throw new Error(`${name}: ${found} hits`)
    best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, (user + system) / EVENTS))
  }

console.log(`events of ${event.length} bytes, CPU time each, best of ${ROUNDS} rounds`)
for (const [name, , aimUs] of ways) {
  const us = best.get(name) ?? 0
  const isBeyond = aimUs !== undefined && us > aimUs
  const aim = aimUs === undefined ? '' : `  (asked: ${aimUs} µs${isBeyond ? ', missed' : ''})`
  console.log(`${name.padEnd(22)} ${us.toFixed(2).padStart(7)} µs${aim}`)
}
