// How many events a batch takes whose names are longer than they are.
import { describe, expect, test } from 'vitest'
import { EMPTY_TREE } from '../../../../infra/metastore/tree/tree-cache.ts'
import { BatchLogs } from '../../../../ingest/writer/batch/batch-logs.ts'
import { EventSplitter } from '../../../../ingest/writer/batch/event-splitter.ts'
import { ColumnDirectory } from '../../../../ingest/writer/batch/log-columns.ts'
import { RowBuilder } from '../../../../ingest/writer/batch/row-builder.ts'
import { NO_LIMITS } from '../../../../ingest/writer/batch-storer.ts'
import { EventBlock } from '../../../../ingest/writer/native/event-block.ts'
import { makeAccount } from '../../../support/ingest/split-event.ts'

const MAX_NAME_BYTES = 1024 * 1024
const EVENTS = 40
const KEYS = 900
const PREFIX = 'p'.repeat(990)

describe('a batch of events with long names', () => {
  test.each([
    ['texts, in an order that no other has', (i: number) => String(i)],
    ['identifiers', (i: number) => `"${i.toString(16).padStart(16, '0')}"`],
  ])(
    'of %s stops where its names are many times the events, and takes the rest in the next',
    (_, printValue) => {
      const bodies = Array.from({ length: EVENTS }, (_, event) => {
        const at = (key: number) => (key + event) % KEYS
        const keys = Array.from({ length: KEYS }, (_, key) => `"${at(key)}":${printValue(at(key))}`)
        return `{"message":"m","${PREFIX}":{${keys.join()}}}`
      })
      const body = Buffer.from(bodies.join('\n'))
      let from = 0
      let batches = 0
      while (from < EVENTS) {
        const rows = makeRows()
        const stop = append(rows, body, bodies, from)
        const { nameBytes } = rows.events
        const largest = KEYS * (PREFIX.length + 30)
        expect(nameBytes).toBeLessThan(MAX_NAME_BYTES + largest)
        expect(stop ?? EVENTS).toBeGreaterThan(from)
        from = stop ?? EVENTS
        batches += 1
      }
      expect(batches).toBeGreaterThan(1)
      expect(batches).toBeLessThan(EVENTS)
    },
  )
})

function makeRows(): RowBuilder {
  const columns = new ColumnDirectory({
    columns: async () => new Map(),
    addColumns: async () => undefined,
  })
  const logs = new BatchLogs({
    tree: EMPTY_TREE,
    columns,
    columnsPerLog: 1000,
    mode: { kind: 'create' },
    allowances: new Map(),
  })
  return new RowBuilder({
    events: new EventBlock(),
    splitter: new EventSplitter('UTC'),
    logs,
    limits: { ...NO_LIMITS, maxNameBytes: MAX_NAME_BYTES },
    partition: 0,
    isDead: false,
    unreadableMs: 0,
  })
}

function append(rows: RowBuilder, body: Buffer, bodies: readonly string[], from: number) {
  const ranges: number[] = []
  let start = 0
  for (const text of bodies) {
    ranges.push(start, start + text.length)
    start += text.length + 1
  }
  const request = {
    accountId: 1,
    accountVersion: 1,
    receivedMs: Date.UTC(2026, 2, 1),
    hostName: 'h',
    peer: '127.0.0.1',
    idempotencyKey: '',
    form: 'logger',
    body,
    ranges: Uint32Array.from(ranges),
    rejections: [],
  }
  const block = { listener: 'l', sequence: 1, requests: [request] }
  const read = { offset: 0, block, bytes: body, accounts: [makeAccount()] }
  return rows.append(read, from, Number.POSITIVE_INFINITY)
}
