// How fast the listener's scanner is: `npx tsx loadtest/scan-speed.ts`. The best of some rounds, by
// CPU time, so that a busy machine counts less.
import { type Scanned, Scanner, scanBody } from '../ingest/listener/scan/scan.ts'

const LIMITS = { maxEvents: 100_000, maxEventBytes: 1024 * 1024, maxDepth: 32, maxColumns: 1024 }
const EVENTS = 10_000
const ROUNDS = 15
const SLICE_BYTES = 128 * 1024

/** About 285 bytes and nine keys, as in the benchmark of the whole. */
const EVENT = JSON.stringify({
  timestamp: '2026-03-01T12:00:00.123Z',
  level: 'INFO',
  message: 'request finished GET /api/orders/48213 with status 200 after 35 ms for customer 99213',
  service: 'checkout',
  host: 'web-17',
  requestId: '6f0f8a52-7d3c-4c6e-9a1b-1f2e3d4c5b6a',
  status: 200,
  durationMs: 35.25,
  isCached: true,
})

function scanInSlices(body: Uint8Array): Scanned {
  const scanner = new Scanner(body, LIMITS)
  while (!scanner.run(SLICE_BYTES));
  return scanner.result()
}

function measure(name: string, body: Buffer, scan: (body: Buffer) => Scanned): void {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage()
    const scanned = scan(body)
    const { user, system } = process.cpuUsage(before)
    if (scanned.kind !== 'events' || scanned.ranges.length !== 2 * EVENTS) {
      throw new Error('the scanner did not take the events')
    }
    best = Math.min(best, user + system)
  }
  const rate = Math.round(body.length / best)
  process.stdout.write(`${name}: ${rate} MB/s, ${(best / EVENTS).toFixed(2)} us an event\n`)
}

const lines = Buffer.from(`${EVENT}\n`.repeat(EVENTS))
const array = Buffer.from(`[${`${EVENT},`.repeat(EVENTS - 1)}${EVENT}]`)
process.stdout.write(`events of ${EVENT.length} bytes\n`)
measure('lines', lines, (body) => scanBody(body, LIMITS))
measure('lines in slices', lines, scanInSlices)
measure('array', array, (body) => scanBody(body, LIMITS))
