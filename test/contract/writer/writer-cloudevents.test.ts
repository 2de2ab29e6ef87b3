// Events of another form than logger.jsp's, and what their input says of them, on the real engines:
// stored as `debug=1` says.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCloudEvents } from '../../../ingest/listener/inputs/cloudevents/read-body.ts'
import { makeExplain } from '../../../ingest/writer/explain.ts'
import { encodeBlock } from '../../../schemas/block/codec.ts'
import type { BlockRequest, RejectionCode } from '../../../schemas/block/schema.ts'
import { readShownColumns } from '../../../schemas/shown-columns.ts'
import { makeRequest } from '../../support/ingest/sent-request.ts'
import { openWriterPlace, type WriterPlace } from '../../support/writer/writer-place.ts'

const LIMITS = { newLogsPerHour: 100, logsPerAccount: 100, columnsPerLog: 1000 }
const SCAN = { maxEvents: 1000, maxEventBytes: 10_000, maxDepth: 32, maxColumns: 100 }
const SEED = 31

let place: WriterPlace
beforeAll(async () => {
  place = await openWriterPlace()
})
afterAll(() => place.close())

/** Row by row, with what `debug=1` tells. */
async function readRows(where = '1') {
  const rows = await place.engine.store.query<{
    log_id: number
    host: string
    source: string
    time: string
    message: string
    raw: string
    rest: string
    names: string
    others: string
    id_names: string
    ids: string
  }>({
    sql: `SELECT log_id, host, source, toString(timestamp) AS time, message, raw, rest, names, others, id_names, ids FROM events WHERE ${where} ORDER BY \`index\``,
  })
  const { logs } = await place.metastore.tree()
  return rows.map(({ log_id, time, rest, names, others, id_names: idNames, ids, ...row }) => {
    return {
      ...row,
      path: logs.get(log_id)?.folder.join('->'),
      log: logs.get(log_id)?.name,
      columns: Object.fromEntries(readShownColumns({ rest, names, others, idNames, ids })),
      time: `${time.replace(' ', 'T').replace(/(\.\d{3}\d*?)0*$/, '$1')}Z`,
    }
  })
}

function requestOf(events: readonly unknown[]): BlockRequest {
  const body = Buffer.from(JSON.stringify(events))
  const { scanner } = readCloudEvents(body, SCAN)
  scanner.run(body.length)
  const scanned = scanner.result()
  if (scanned.kind !== 'events') throw new Error('refused')
  const { ranges, rejections, origins } = scanned
  const sent = makeRequest({ events: [], hostName: 'web-07', form: 'cloudevents' })
  return { ...sent, body, ranges, rejections, origins }
}

describe('CloudEvents in the event log', () => {
  test('are stored as debug=1 says, with their sources', async () => {
    const value = fc.oneof(
      fc.string({ unit: 'grapheme-ascii', maxLength: 8 }),
      fc.integer(),
      fc.boolean(),
      fc.constant('a'.repeat(32)),
    )
    const event = fc.record(
      {
        specversion: fc.constant('1.0'),
        id: fc.constantFrom('1', 'b'.repeat(36)),
        source: fc.constantFrom('/orders', '/stock', 'urn:ü'),
        type: fc.constantFrom('paid', 'sent'),
        time: fc.constantFrom('2024-01-02T03:04:05.678901Z', '2024-01-02T03:04:05+02:00', null),
        subject: value,
        data: fc.oneof(
          value,
          fc.record({ message: value, n: value, deep: fc.record({ a: value }) }),
        ),
      },
      { requiredKeys: ['specversion', 'id', 'source', 'type'] },
    )
    const events = fc.sample(event, { numRuns: 200, seed: SEED })
    const request = requestOf(events)
    const account = await place.metastore.accountVersion(1, 1)
    const explain = makeExplain({ metastore: place.metastore, limits: LIMITS })
    const explained = await explain({ account, ...request })
    await place.appendBytes(encodeBlock({ listener: 'listener', sequence: 1, requests: [request] }))
    await place.storeAll({ limits: LIMITS })
    const rows = await readRows()
    const told = rows.map(({ path, log, host, columns, time }) => ({
      ...{ path, log, host, template: null, pattern: null, columns, time },
    }))
    // An event without a time has that of receipt.
    expect(told).toEqual(explained)
    expect(rows.map(({ source }) => source)).toEqual(events.map(({ source }) => source))
  })

  test('that are none go to System->rejected with their bytes and their form', async () => {
    await place.clear()
    const bad = { id: 'x' }
    const good = { specversion: '1.0', id: '1', source: '/s', type: 't', data: 'good' }
    const request = requestOf([bad, good])
    await place.appendBytes(encodeBlock({ listener: 'listener', sequence: 2, requests: [request] }))
    await place.storeAll({ limits: LIMITS })
    const rows = await readRows()
    expect(rows.map(({ message, source }) => [message, source])).toEqual([
      [JSON.stringify(bad), 'account 1'],
      ['good', '/s'],
    ])
    const reason: RejectionCode = 'bad_specversion'
    expect(rows[0]).toMatchObject({
      ...{ path: 'System', log: 'rejected', raw: JSON.stringify(bad) },
      columns: { reason, account: 'account 1', form: 'cloudevents' },
    })
  })

  test('may have a host and a time that their input names, where their bytes have none', async () => {
    await place.clear()
    const event = (id: string, more: object = {}) => ({
      ...{ specversion: '1.0', id, source: '/s', type: 't', data: id },
      ...more,
    })
    const events = [event('a'), event('b', { time: '2024-01-02T00:00:00Z' }), event('c')]
    const request = requestOf(events)
    const givenMs = Date.UTC(2024, 4, 6, 7)
    const origins = {
      places: [
        { host: 'pod-1', source: 'stdout' },
        { host: '', source: '' },
      ],
      placeOf: Uint32Array.of(0, 0, 1),
      times: Float64Array.of(givenMs, 123_456, givenMs, 0, Number.NaN, 0),
    }
    const requests = [{ ...request, origins }]
    await place.appendBytes(encodeBlock({ listener: 'listener', sequence: 3, requests }))
    await place.storeAll({ limits: LIMITS })
    const rows = await readRows()
    const received = new Date(request.receivedMs).toISOString()
    expect(rows.map(({ host, source, time }) => [host, source, time])).toEqual([
      ['pod-1', 'stdout', '2024-05-06T07:00:00.000123456Z'],
      ['pod-1', 'stdout', '2024-01-02T00:00:00.000Z'],
      ['web-07', 'account 1', received],
    ])
  })

  test('of a form that this program does not know stop the partition, and nothing is lost', async () => {
    await place.clear()
    const strange = makeRequest({ events: [{ message: 'x' }], form: 'from the future' })
    await place.append([{ events: [{ message: 'before' }] }], { sequence: 4 })
    await place.appendBytes(encodeBlock({ listener: 'listener', sequence: 5, requests: [strange] }))
    const writer = await place.openWriter({ limits: LIMITS })
    try {
      await expect
        .poll(async () => (await readRows()).map(({ message }) => message), { timeout: 240_000 })
        .toEqual(['before'])
      const waiting = async () => {
        const { next, end } = await place.eventLog.status(0)
        return end - next
      }
      await expect.poll(waiting, { timeout: 240_000 }).toBe(1)
    } finally {
      await writer.close()
    }
  })
})
