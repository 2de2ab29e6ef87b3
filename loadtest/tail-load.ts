// Live tails of a load: every matching event once and in order, for a quick client, a slow one, and
// one that leaves and comes back with Last-Event-ID; in a steady run, and in one in which the
// writer is killed.
//   npx tsx loadtest/tail-load.ts [--seconds 20] [--rate 2000]
// Exits 1 when an event is missing, doubled or out of order, or when the quick client's median
// delay of the steady run is above a second.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { memoryBytes } from '../test/support/machine/process-usage.ts'
import type { Product } from '../test/support/product/product.ts'
import { percentile } from './support/http-load.ts'
import { onFreshProduct } from './support/on-fresh-product.ts'
import { readTail, type TailReader } from './support/tail-reader.ts'

const BATCHES_A_SECOND = 20
const ALL_WITHIN_MS = 120_000
const MAX_DELAY_MS = 1000
const FILLER = 'the quick brown fox jumps over the lazy dog '.repeat(6)

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    rate: { type: 'string', default: '2000' },
  },
})
const seconds = Number(values.seconds)
const each = Math.max(2, Math.round(Number(values.rate) / BATCHES_A_SECOND))
const failures: string[] = []

await onFreshProduct('tail-load', async (product) => {
  await run(product, 'steady', [])
  const half = Math.floor((seconds * BATCHES_A_SECOND) / 2)
  await run(product, 'killed', [Math.floor(half / 2), half + 5])
  return failures
})

async function send(product: Product, lines: readonly string[]): Promise<void> {
  const address = `${product.url}/logeye/api/logger.jsp?token=${product.secrets.token}`
  for (let n = 0; n < 300; n += 1) {
    const answer = await fetch(address, {
      method: 'POST',
      body: lines.join('\n'),
      headers: { 'content-type': 'application/json' },
    })
    if (answer.status === 200) return
    await sleep(50)
  }
  throw new Error('the events were not taken')
}

/** Every second event matches; every fifth has a time long past. */
function makeLines(word: string, from: number): string[] {
  return Array.from({ length: each }, (_, index) => {
    const n = from + index
    const late = n % 5 === 0 ? { timestamp: new Date(1_700_000_000_000 + n).toISOString() } : {}
    return JSON.stringify({ message: `${n % 2 === 0 ? word : 'other'} ${FILLER}`, n, ...late })
  })
}

async function run(product: Product, word: string, killAt: readonly number[]): Promise<void> {
  const sent = new Map<number, number>()
  const sentMs = (n: number) => sent.get(n)
  const readers = [
    readTail(product, word, { name: 'quick' }, sentMs),
    readTail(product, word, { name: 'slow', slow: { everyBytes: 60_000, ms: 200 } }, sentMs),
    readTail(product, word, { name: 'leaving', leaveEveryMs: 1500 }, sentMs),
  ]
  while (readers.some((reader) => reader.connections() === 0)) await sleep(20)
  const front = await product.pidOf('front')
  const before = memoryBytes(front)
  let highest = before
  const startedMs = performance.now()
  let next = 0
  for (let batch = 0; batch < seconds * BATCHES_A_SECOND; batch += 1) {
    const lines = makeLines(word, next)
    for (let n = next; n < next + each; n += 1) sent.set(n, performance.now())
    next += each
    await send(product, lines)
    if (killAt.includes(batch)) kill(product, 'work')
    highest = Math.max(highest, memoryBytes(front))
    await sleep(startedMs + ((batch + 1) * 1000) / BATCHES_A_SECOND - performance.now())
  }
  const wanted = Array.from({ length: Math.ceil(next / 2) }, (_, n) => n * 2)
  const endMs = performance.now() + ALL_WITHIN_MS
  while (readers.some(({ numbers }) => numbers.length < wanted.length)) {
    if (performance.now() > endMs) break
    highest = Math.max(highest, memoryBytes(front))
    await sleep(50)
  }
  await sleep(1500)
  for (const reader of readers) check(word, reader, wanted, killAt.length === 0)
  const grown = ((highest - before) / 1_048_576).toFixed(0)
  console.log(`${word}: ${next} events, ${wanted.length} wanted, front grew by ${grown} MiB`)
  for (const reader of readers) reader.stop()
}

function check(word: string, reader: TailReader, wanted: readonly number[], isSteady: boolean) {
  const { name, numbers, errors } = reader
  const doubled = numbers.length - new Set(numbers).size
  const missing = wanted.length - new Set(numbers).size
  const isInOrder = numbers.every((number, at) => number === wanted[at])
  const delays = Float64Array.from(reader.delaysMs).sort()
  const [median, slow] = [percentile(delays, 0.5), percentile(delays, 0.99)]
  console.log(
    `  ${name.padEnd(8)} ${numbers.length} events, ${missing} missing, ${doubled} doubled, in order: ${isInOrder}, ${reader.connections()} connections, median delay ${median.toFixed(0)} ms, 99 % ${slow.toFixed(0)} ms`,
  )
  if (missing !== 0 || doubled !== 0 || !isInOrder)
    failures.push(`${word}, ${name}: ${missing} missing, ${doubled} doubled`)
  if (errors.length > 0) failures.push(`${word}, ${name}: ${errors.join()}`)
  if (isSteady && name === 'quick' && !(median < MAX_DELAY_MS))
    failures.push(`${word}, ${name}: ${median} ms behind`)
}

function kill(product: Product, role: string): void {
  for (const { pid, role: found } of product.processes())
    if (found === role) process.kill(pid, 'SIGKILL')
}
