// Pages of another Logeye that are more than a block of the event log here: they are asked for
// again in halves, and as large as before when they are small again.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Lease } from '../../../infra/database/lease.ts'
import type { EventLog } from '../../../infra/event-log/port.ts'
import { takeSourceVersion } from '../../../infra/metastore/collect/collect-sources.ts'
import { RemoteLogeye } from '../../../infra/outbound/remote-logeye.ts'
import { copyLog } from '../../../ingest/collect/copies/copy-log.ts'
import { MarkedLog } from '../../../ingest/collect/marked/marked-log.ts'
import { printRecord } from '../../../ingest/collect/marked/record-form.ts'
import { makeMaskHash } from '../../../ingest/listener/masking/mask-hash.ts'
import { Masks } from '../../../ingest/listener/masking/mask-request.ts'
import { type CollectPlace, openCollectPlace } from '../../support/collect/collect-place.ts'
import { type OtherLogeye, openOtherLogeye } from '../../support/collect/other-logeye.ts'
import { silentLogger } from '../../support/database/query-database.ts'

const FAR = { productPath: 'Web', productName: 'access' }
const MAX_BLOCK_BYTES = 150_000

let other: OtherLogeye
let collect: CollectPlace
beforeAll(async () => {
  other = await openOtherLogeye()
  collect = await openCollectPlace()
})
afterAll(async () => {
  await collect?.close()
  await other?.stop()
})

/** Until the tail begins, or it fails. */
async function copyPages(name: string, query: string) {
  const { metastore, eventLog } = collect.place
  const logId = await collect.addLog(name, {})
  const source = {
    ...{ folder: [], name, policyId: 1, patterns: [], template: '' },
    ...{ timeZone: null, charSet: null, filter: '' },
  }
  const version = await metastore.database.write((transaction) =>
    takeSourceVersion(transaction, logId, source, collect.clock.nowMs()),
  )
  const account = await metastore.accountVersion(-logId, version)
  const held = await new Lease({
    ...{ database: metastore.database, clock: collect.clock, name },
  }).tryTake()
  if (held === undefined) throw new Error('the lease is not free')
  const stopping = new AbortController()
  const { signal } = stopping
  const small: Pick<EventLog, 'append' | 'partitions' | 'maxBlockBytes'> = {
    ...{ partitions: eventLog.partitions, maxBlockBytes: MAX_BLOCK_BYTES },
    append: async (partition, bytes) => {
      expect(bytes.length).toBeLessThanOrEqual(MAX_BLOCK_BYTES)
      return await eventLog.append(partition, bytes)
    },
  }
  const log = await MarkedLog.open(
    {
      ...{ metastore, eventLog: small, clock: collect.clock, logger: silentLogger, hostName: 'a' },
      masks: new Masks(makeMaskHash(Buffer.from('a key of tests'))),
      held: { ...held, signal },
    },
    { logId, place: 'far', account },
  )
  if (log === undefined) throw new Error('it was stopped')
  const remote = new RemoteLogeye({
    ...{ remoteURL: `http://127.0.0.1:${other.port}/logeye`, certificate: '' },
    ...{ userName: 'admin', userPassword: other.pipeline.db.adminPassword },
  })
  const copied: { events: number; bytes: number }[] = []
  const ended = copyLog({
    ...{ remote, log, query, name, signal, reached: () => undefined },
    copied: (events, bytes) => copied.push({ events, bytes }),
    ...{ elapsedMs: collect.clock.elapsedMs, sleep: collect.clock.sleep },
  })
  try {
    const isTail = () => log.mark.includes('"tail"')
    await Promise.race([collect.until('the tail begins', isTail), ended])
  } finally {
    stopping.abort()
    await ended.catch(() => undefined)
  }
  return { copied, rows: await collect.rows(logId) }
}

it('are halved until they fit, and then asked for whole', async () => {
  const text = '€'.repeat(300)
  const small = Array.from({ length: 700 }, (_, at) => ({ ...FAR, message: `small ${at}` }))
  const large = Array.from({ length: 300 }, (_, at) => ({ ...FAR, message: `large ${at}`, text }))
  await other.pipeline.ingest(small)
  await other.pipeline.ingest(large)
  const { copied, rows } = await copyPages('pages', '* in log.access')
  const messages = rows.map(({ message }) => message)
  expect(messages.length).toBe(1000)
  expect(new Set(messages)).toEqual(new Set([...small, ...large].map(({ message }) => message)))
  // 500 and 250 of the first ones are too many; the newest 250 are all large.
  expect(copied.slice(0, 2).map(({ events }) => events)).toEqual([125, 125])
  expect(Math.max(...copied.map(({ events }) => events))).toBe(500)
  expect(copied.reduce((sum, { events }) => sum + events, 0)).toBe(1000)
  const bytes = copied.reduce((sum, page) => sum + page.bytes, 0)
  const records = [
    ...small.map(({ message }) => printRecord(message, {})),
    ...large.map(({ message }) => printRecord(message, { text })),
  ]
  expect(bytes).toBe(Buffer.byteLength(records.join('')))
})

it('of one event that is too large say so', async () => {
  const text = 'x'.repeat(MAX_BLOCK_BYTES)
  await other.pipeline.ingest([
    { ...FAR, productName: 'huge', message: 'older' },
    { ...FAR, productName: 'huge', message: 'huge', text },
    { ...FAR, productName: 'huge', message: 'newer' },
  ])
  await expect(copyPages('huge', '* in log.huge')).rejects.toThrow(
    '1 events that go together need 146 KiB, more than a block of the event log',
  )
})
