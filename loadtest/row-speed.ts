// What the writer spends on an event between a read block and the store: `npx tsx
// loadtest/row-speed.ts`. CPU time, the best of some rounds, so that a busy machine counts less.
// Microseconds an event are seconds a million events.
import { ByteBuffer } from '../ingest/bytes/byte-buffer.ts'
import { makeBlocks, makeRows, readBlocks } from './support/writer-rows.ts'

const EVENTS = 100_000
const ROUNDS = 12

const blocks = makeBlocks(EVENTS)
const output = new ByteBuffer()
const best = new Map<string, number>()
for (let round = 0; round < ROUNDS; round += 1) {
  const read = measure('blocks decoded', () => readBlocks(blocks))
  const events = measure('rows split and appended', () => makeRows(read))
  measure('Native block written', () => {
    output.reset()
    events.write(output, [1], [1])
  })
  if (events.rows !== EVENTS) throw new Error('not every event became a row')
}
let sum = 0
for (const [name, us] of best) {
  sum += us
  process.stdout.write(`${name.padEnd(28)} ${us.toFixed(2)} us an event\n`)
}
process.stdout.write(`${'together'.padEnd(28)} ${sum.toFixed(2)} us an event\n`)
process.stdout.write(`${(output.length / EVENTS).toFixed(0)} bytes an event sent\n`)

function measure<T>(name: string, run: () => T): T {
  const before = process.cpuUsage()
  const result = run()
  const { user, system } = process.cpuUsage(before)
  const us = (user + system) / EVENTS
  best.set(name, Math.min(us, best.get(name) ?? us))
  return result
}
