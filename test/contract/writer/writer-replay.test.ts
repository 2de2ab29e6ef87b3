// A replay builds the same rows: the rule on which exactly-once stands (decision 0007). Real event
// log and metastore.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openEventLog } from '../../../infra/event-log/open.ts'
import type { EventLog } from '../../../infra/event-log/port.ts'
import type { Batch } from '../../../ingest/writer/batch/batch.ts'
import {
  BatchFactory,
  type BatchJob,
  whatIsThere,
} from '../../../ingest/writer/batch/batch-factory.ts'
import { EventSplitter } from '../../../ingest/writer/batch/event-splitter.ts'
import { LogAllowances } from '../../../ingest/writer/batch/log-allowances.ts'
import { ColumnDirectory } from '../../../ingest/writer/batch/log-columns.ts'
import { NO_LIMITS } from '../../../ingest/writer/batch-storer.ts'
import { BlockReader } from '../../../ingest/writer/block-reader.ts'
import { encodeBlock } from '../../../schemas/block/codec.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
import { makeRequest } from '../../support/ingest/sent-request.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { readNativeBlock } from '../../support/store/native-reader.ts'

const HOUR_MS = 3_600_000
const BUILT_MS = 1_717_243_200_000
const LIMITS = { newLogsPerHour: 6, logsPerAccount: 9 }

let directory: string
let eventLog: EventLog
let db: QueryDatabase

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'logeye-test-replay-'))
  const sizes = { maxBytes: 64 << 20, maxBlockBytes: 16 << 20 }
  eventLog = await openEventLog({ dataDir: directory, ...sizes, clock: testClock })
  db = await openQueryDatabase()
  for (let block = 1; block <= 6; block += 1) {
    const requests = Array.from({ length: 3 }, (_, r) =>
      makeRequest({
        receivedMs: BUILT_MS + block * 20 * 60_000,
        idempotencyKey: r === 0 ? `key ${block % 4}` : '',
        events: Array.from({ length: 8 }, (_, i) => ({
          message: r === 0 ? 'equal' : `m ${block} ${r} ${i}`,
          productName: `log ${(block * r * 8 + i * r) % 14}`,
          [`column ${(block * r + i) % 9}`]: i,
        })),
        tail: 'bad',
        rejections: [{ index: 3, code: 'invalid_json', start: 0, end: 3 }],
      }),
    )
    const bytes = encodeBlock({ listener: 'l', sequence: block === 5 ? 4 : block, requests })
    await eventLog.append(0, block === 3 ? Buffer.from('unreadable') : bytes)
  }
})
afterEach(async () => {
  await eventLog.close()
  await db.close()
  rmSync(directory, { recursive: true, force: true })
})

async function build(job: Partial<BatchJob>): Promise<Batch> {
  const { metastore } = db
  const factory = new BatchFactory({
    reader: new BlockReader({ eventLog, metastore, partition: 0 }),
    metastore,
    columns: new ColumnDirectory(metastore),
    allowances: new LogAllowances(metastore, LIMITS),
    splitterFor: (timeZone) => new EventSplitter(timeZone),
    partition: 0,
  })
  const whole: BatchJob = {
    from: { offset: 0, index: 0 },
    sequences: new Map(),
    mode: { kind: 'create' },
    limits: NO_LIMITS,
    columnsPerLog: 4,
    timeZone: 'UTC',
    builtMs: BUILT_MS,
    isDead: false,
    stored: { find: async () => new Map() },
  }
  const batch = await factory.build({ ...whole, ...job }, whatIsThere, new AbortController().signal)
  if (batch === undefined) throw new Error('no batch')
  return { ...batch, events: Uint8Array.from(batch.events) }
}

describe('a replay', () => {
  test('builds the very bytes of the first time, with both guards at work', async () => {
    const first = await build({})
    const mode = { kind: 'replay', maxLogId: first.maxLogId } as const
    const again = await build({ mode, from: first.range.from, to: first.range.to })
    expect(Buffer.compare(again.events, first.events)).toBe(0)
    expect(again).toEqual(first)
    // Of 6 blocks one is unreadable, one is there twice, and one request of 9 events repeats
    // another.
    expect(first.stats).toMatchObject({ rejected: 3 * 4 - 1 + 1, repeated: 9, copied: 3 * 9 })
    expect(first.stats.overflowed).toBeGreaterThan(0)
    expect(readNativeBlock(first.events).columns.layout).toContain('r')
  })

  test('is not moved by logs made meanwhile', async () => {
    const first = await build({})
    const refused = readNativeBlock(first.events).columns.columns?.flatMap((row) =>
      typeof row === 'object' && 'intended path' in row ? [row['intended path']] : [],
    )
    const path = String(Array.isArray(refused?.[0]) ? refused[0][1] : '').split('->')
    await db.metastore.addLogs([
      {
        folder: path.slice(0, -1),
        name: path.at(-1) ?? '',
        accountId: 1,
        policyId: 1,
        appTags: [],
        typeWords: [],
        receivedHour: Math.floor(BUILT_MS / HOUR_MS) + 9,
      },
    ])
    const mode = { kind: 'replay', maxLogId: first.maxLogId } as const
    const again = await build({ mode, to: first.range.to })
    expect(Buffer.compare(again.events, first.events)).toBe(0)
  })

  test('in two parts, cut inside of a block, gives the same rows', async () => {
    const first = await build({})
    const mode = { kind: 'replay', maxLogId: first.maxLogId } as const
    const key = (batch: Batch) => {
      const { columns } = readNativeBlock(batch.events)
      const { offset = [], index = [], log_id = [], message = [], raw = [] } = columns
      return offset.map((it, row) => [it, index[row], log_id[row], message[row], raw[row]])
    }
    for (const maxRows of [1, 5, 17, 40]) {
      const limits = { ...NO_LIMITS, maxRows }
      const head = await build({ mode, to: first.range.to, limits })
      expect(head.rows).toBe(maxRows)
      const stored = {
        find: async (identities: readonly string[]) =>
          new Map(
            identities.map((id) => [id, head.keys.filter(({ identity }) => identity === id)]),
          ),
      }
      const { sequences } = head
      const tail = await build({ mode, from: head.range.to, to: first.range.to, sequences, stored })
      expect([...key(head), ...key(tail)]).toEqual(key(first))
      // Each once: the writer counts them, and the store must have as many.
      expect([...head.keys, ...tail.keys]).toEqual(first.keys)
    }
  })
})
