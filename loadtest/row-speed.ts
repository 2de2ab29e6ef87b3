// What the writer spends on an event between a read block and the store: `node dist/loadtest/row-speed.js`. CPU time, the best of
// some rounds, so that a busy machine counts less. Microseconds an event are seconds a million events.

import { ByteBuffer } from '../ingest/bytes/byte-buffer.ts'
import { BatchLogs } from '../ingest/writer/batch-logs.ts'
import { EventSplitter } from '../ingest/writer/event-splitter.ts'
import { ColumnDirectory } from '../ingest/writer/log-columns.ts'
import { EventBlock } from '../ingest/writer/native/event-block.ts'
import { type ReadBlock, RowBuilder } from '../ingest/writer/row-builder.ts'
import type { Block } from '../schemas/block.ts'
import { decodeBlock, encodeBlock } from '../schemas/block-codec.ts'
import type { ListenerAccount } from '../schemas/listener-account.ts'
import { makeBodies, makeEvents } from './support/events.ts'

const EVENTS = 100_000
const LINES = 10_000
const ROUNDS = 12
const SEED = 20_261_121

const ACCOUNT: ListenerAccount = {
  id: 1,
  version: 1,
  name: 'bench',
  isEnabled: true,
  description: '',
  parentFolder: ['server'],
  policyId: 1,
  appTags: [],
  logNamePrefix: '',
  sourceSplit: 'source',
  maskBitsV4: 24,
  maskBitsV6: 64,
  messageKeys: ['message', 'msg', 'log', 'event'],
  splitColumns: [],
  timeKey: null,
  timeZone: null,
  jsonParsingLevel: 5,
}
const NO_LIMITS = {
  maxRows: Number.POSITIVE_INFINITY,
  maxBytes: Number.POSITIVE_INFINITY,
  maxUnits: Number.POSITIVE_INFINITY,
  maxCells: Number.POSITIVE_INFINITY,
}

const blocks = makeBodies(makeEvents(SEED), EVENTS, LINES).map((body, number) =>
  encodeBlock({
    listener: 'bench',
    sequence: number + 1,
    requests: [
      {
        accountId: 1,
        accountVersion: 1,
        receivedMs: Date.UTC(2026, 10, 21),
        hostName: 'bench',
        peer: '127.0.0.1',
        idempotencyKey: '',
        body,
        ranges: linesOf(body),
        rejections: [],
      },
    ],
  }),
)
const events = new EventBlock()
const output = new ByteBuffer()
const splitter = new EventSplitter('UTC')
const columns = new ColumnDirectory({
  columns: async () => new Map(),
  addColumns: async () => undefined,
})

const best = new Map<string, number>()
for (let round = 0; round < ROUNDS; round += 1) {
  let read: ReadBlock[] = []
  let rows: RowBuilder | undefined
  measure('blocks decoded', () => {
    read = blocks.map((bytes, offset) => toRead(decodeBlock(bytes), bytes, offset))
  })
  measure('rows split and appended', () => {
    rows = appendAll(read)
  })
  measure('Native block written', () => {
    output.reset()
    rows?.events.write(output, [1], [1])
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

function measure(name: string, run: () => void): void {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  const us = (user + system) / EVENTS
  best.set(name, Math.min(us, best.get(name) ?? us))
}

function appendAll(read: readonly ReadBlock[]): RowBuilder {
  const logs = new BatchLogs({
    tree: { folders: new Map(), logs: new Map(), logsByPath: new Map() },
    columns,
    columnsPerLog: 1000,
    mode: { kind: 'create' },
    allowances: new Map(),
  })
  const rows = new RowBuilder({
    events,
    splitter,
    logs,
    limits: NO_LIMITS,
    partition: 0,
    isDead: false,
    unreadableMs: 0,
  })
  for (const block of read) rows.append(block, 0, Number.POSITIVE_INFINITY)
  return rows
}

function toRead(block: Block, bytes: Uint8Array, offset: number): ReadBlock {
  return { block, bytes, offset, accounts: [ACCOUNT] }
}

function linesOf(body: Buffer): Uint32Array {
  const ranges: number[] = []
  for (let start = 0; start < body.length; ) {
    const end = body.indexOf(10, start)
    ranges.push(start, end)
    start = end + 1
  }
  return Uint32Array.from(ranges)
}
