// The benchmark's events as the writer has them: logged blocks, and the Native block that it makes
// of them.
import { EMPTY_TREE } from '../../infra/metastore/tree/tree-cache.ts'
import { BatchLogs } from '../../ingest/writer/batch/batch-logs.ts'
import { EventSplitter } from '../../ingest/writer/batch/event-splitter.ts'
import { ColumnDirectory } from '../../ingest/writer/batch/log-columns.ts'
import { type ReadBlock, RowBuilder } from '../../ingest/writer/batch/row-builder.ts'
import { NO_LIMITS } from '../../ingest/writer/batch-storer.ts'
import { EventBlock } from '../../ingest/writer/native/event-block.ts'
import { decodeBlock, encodeBlock } from '../../schemas/block/codec.ts'
import type { ListenerAccount } from '../../schemas/listener-account.ts'
import { FIRST_EVENT_MS, makeBodies, makeEvents } from './events.ts'

const LINES = 10_000
const SEED = 20_261_121
const RECEIVED_MS = Date.UTC(2026, 10, 21)

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

/** `first`: how many events came before these. */
export function makeBlocks(count: number, first = 0): Uint8Array[] {
  const events = makeEvents(SEED + first, FIRST_EVENT_MS + first)
  return makeBodies(events, count, LINES).map((body, number) =>
    encodeBlock({
      listener: 'bench',
      sequence: number + 1,
      requests: [
        {
          accountId: 1,
          accountVersion: 1,
          receivedMs: RECEIVED_MS,
          hostName: 'bench',
          peer: '127.0.0.1',
          idempotencyKey: '',
          form: 'logger',
          body,
          ranges: linesOf(body),
          rejections: [],
        },
      ],
    }),
  )
}

export function readBlocks(blocks: readonly Uint8Array[]): ReadBlock[] {
  return blocks.map((bytes, offset) => ({
    block: decodeBlock(bytes),
    bytes,
    offset,
    accounts: [ACCOUNT],
  }))
}

/** As the writer keeps them from batch to batch. */
const events = new EventBlock()
const splitter = new EventSplitter('UTC')
const columns = new ColumnDirectory({
  columns: async () => new Map(),
  addColumns: async () => undefined,
})

/** The rows of the blocks; valid until the next call. */
export function makeRows(read: readonly ReadBlock[]): EventBlock {
  const logs = new BatchLogs({
    tree: EMPTY_TREE,
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
  return events
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
