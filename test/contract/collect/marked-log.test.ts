// Events that go together and are more than a block of the event log: nothing of them is noted, so
// that smaller pieces can be asked for.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Lease } from '../../../infra/database/lease.ts'
import { takeSourceVersion } from '../../../infra/metastore/collect/collect-sources.ts'
import { MarkedLog, TooLarge } from '../../../ingest/collect/marked/marked-log.ts'
import { printRecord } from '../../../ingest/collect/marked/record-form.ts'
import { makeMaskHash } from '../../../ingest/listener/masking/mask-hash.ts'
import { Masks } from '../../../ingest/listener/masking/mask-request.ts'
import { type CollectPlace, openCollectPlace } from '../../support/collect/collect-place.ts'
import { silentLogger } from '../../support/database/query-database.ts'

let collect: CollectPlace
beforeAll(async () => {
  collect = await openCollectPlace()
})
afterAll(() => collect?.close())

it('notes no more than a block holds', async () => {
  const { metastore, eventLog } = collect.place
  const logId = await collect.addLog('copied', {})
  const source = {
    ...{ folder: [], name: 'copied', policyId: 1, patterns: [], template: '' },
    ...{ timeZone: null, charSet: null, filter: '' },
  }
  const version = await metastore.database.write((transaction) =>
    takeSourceVersion(transaction, logId, source, collect.clock.nowMs()),
  )
  const account = await metastore.accountVersion(-logId, version)
  const lease = { database: metastore.database, clock: collect.clock, name: 'marked' }
  const held = await new Lease(lease).tryTake()
  if (held === undefined) throw new Error('the lease is not free')
  const { partitions } = eventLog
  const small = { append: eventLog.append.bind(eventLog), partitions, maxBlockBytes: 10_000 }
  const deps = {
    ...{ metastore, eventLog: small, clock: collect.clock, logger: silentLogger, hostName: 'a' },
    masks: new Masks(makeMaskHash(Buffer.from('a key of tests'))),
    held: { ...held, signal: new AbortController().signal },
  }
  const open = () => MarkedLog.open(deps, { logId, place: 'far', account })
  const event = (message: string) => ({
    record: printRecord(message, { text: 'x'.repeat(2000) }),
    ...{ host: '', source: '', time: undefined },
  })
  const log = await open()
  const all = Array.from({ length: 6 }, (_, at) => event(`event ${at}`))
  await expect(log?.commit(all, 'all')).rejects.toThrow(TooLarge)
  const again = await open()
  expect(again?.mark).toBe('')
  expect(await again?.commit(all.slice(0, 3), 'half')).toBe(true)
  expect(await again?.commit(all.slice(3), 'all')).toBe(true)
  // Whose source was changed saves no mark; what is noted is sent by whoever opens it next.
  let isCurrent = false
  const changed = await MarkedLog.open(deps, {
    ...{ logId, place: 'far', account, generation: 1 },
    isCurrent: async () => isCurrent,
  })
  expect(changed?.mark).toBe('')
  await expect(changed?.commit([event('of before')], 'before')).rejects.toThrow(/changed meanwhile/)
  expect((await open())?.mark).toBe('all')
  isCurrent = true
  expect(await changed?.commit([], 'now')).toBe(true)
  const messages = await collect.messages(logId)
  expect(messages).toEqual(all.map((_, at) => `event ${at}`))
})
