// Archives as a program uses them (docs/decisions/0108): into a folder and a bucket, searched again
// after a thaw, on another product too; what was deleted stays deleted, what is held stays.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp } from '../../support/apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { makeConfigurationClient } from '../../support/clients/configuration-client.ts'
import { type S3Server, s3Missing, startS3Server } from '../../support/remote/s3-server.ts'
import { describeUnless } from '../../support/run/skip.ts'
import { standingClock, TEST_DATE_MS } from '../../support/run/test-clock.ts'

const LOG = 'Events->Default'
const DAY_MS = 86_400_000
const POLICY = 'Default'
const TODAY_MS = Math.floor(TEST_DATE_MS / DAY_MS) * DAY_MS

type Product = SearchPipeline & { readonly app: ReturnType<typeof openTestApp> }

async function openProduct(
  opened: Promise<SearchPipeline> = openSearchPipeline({ clock: standingClock }),
): Promise<Product> {
  const pipeline = await opened
  const { readArrived, keyFile } = pipeline
  return {
    ...pipeline,
    app: openTestApp(pipeline.db, pipeline.engine.store, {
      clock: standingClock,
      readArrived,
      keyFile,
    }),
  }
}

async function close(product: Product | undefined): Promise<void> {
  await product?.app.app.stop()
  await product?.stop()
}

const folder = mkdtempSync(join(tmpdir(), 'logeye-archive-'))
let product: Product
beforeAll(async () => {
  product = await openProduct()
})
afterAll(async () => {
  await close(product)
  rmSync(folder, { recursive: true, force: true })
})

const sdk = (command: string, given: Readonly<Record<string, string>>, on = product) => {
  const user = { name: 'admin', password: on.db.adminPassword }
  return makeConfigurationClient(on.app.call, user).do(command, given)
}
const rows = async (on = product) =>
  (
    await (
      await on.app.search({ fixedInterval: 'allData', searchQuery: '*', resultFormat: 'csv-plain' })
    ).text()
  )
    .split('\n')
    .filter((line) => line.includes('ev '))
    .map((line) => /ev \d+ ü \w+/.exec(line)?.[0] ?? line)
    .sort()

type Told = {
  readonly number: number
  readonly state: string
  readonly fault: string
  readonly day: string
  readonly entry: string
  readonly events: number
  readonly thaw: { readonly state: string; readonly events: number } | null
}
const list = async (on = product): Promise<readonly Told[]> =>
  ((await sdk('listArchives', {}, on)).response as { archives: Told[] }).archives
const send = (age: number, name: string, count: number) =>
  product.ingest(
    Array.from({ length: count }, (_, at) => ({
      message: `ev ${at} ü ${name}`,
      user: name,
      // None that a deletion of this test means.
      n: name === 'old' ? at : at + 100,
    })),
    { receivedMs: TODAY_MS - age * DAY_MS },
  )
/** As if the limits were in force for long. */
const policy = async (given: Readonly<Record<string, string>>) => {
  const done = await sdk('addCollectionPolicy', { name: POLICY, update: 'true', ...given })
  await product.db.metastore.database.write((transaction) =>
    transaction.updateTable('policy_retentions').set({ since_ms: 0 }).execute(),
  )
  return done
}

describe('into a folder', () => {
  it('archives what leaves the store, and thaws it, but not what was deleted', async () => {
    await send(30, 'old', 20)
    await send(0, 'new', 2)
    const all = await rows()
    expect(all).toHaveLength(22)
    expect(await policy({ archiveDirectory: 'relative' })).toMatchObject({ success: false })
    const made = await policy({ archiveDirectory: folder, storageDays: '10' })
    expect(JSON.stringify(made.response)).not.toContain('NOTHING IS ARCHIVED')
    await product.retain()
    expect(await rows()).toHaveLength(2)
    const [archive] = await list()
    expect(archive).toMatchObject({ state: 'done', events: 20, thaw: null })
    const number = String(archive?.number)

    const deleted = await sdk('deleteData', { log: LOG, query: 'n = 3' })
    expect(deleted).toMatchObject({ response: { archives: [archive?.number] } })
    const beside = await sdk('deleteData', {
      ...{ log: LOG, query: 'n = 4', dryRun: 'true' },
      startTime: '2020-01-01T00:00:00Z',
      endTime: '2021-01-01T00:00:00Z',
    })
    expect(beside).toMatchObject({ response: { archives: [] } })
    await product.retain()

    const until = new Date(standingClock.nowMs() + DAY_MS).toISOString()
    expect(await sdk('thaw', { archive: number, until })).toMatchObject({
      response: { thaw: { state: 'asked', until } },
    })
    expect(await rows()).toHaveLength(2)
    await product.retain()
    expect((await list())[0]?.thaw).toMatchObject({ state: 'thawed', events: 19 })
    expect(await rows()).toEqual(all.filter((row) => !row.startsWith('ev 3 ')))
    await product.retain()
    expect(await rows()).toHaveLength(21)

    // Deleted while it is thawed: gone at once, and stays gone.
    await sdk('deleteData', { log: LOG, query: 'n = 5' })
    expect(await rows()).toHaveLength(20)
    await product.retain()
    await product.retain()
    expect((await list())[0]?.thaw).toMatchObject({ state: 'thawed', events: 18 })
    expect(await rows()).toHaveLength(20)
    expect(await sdk('removeArchive', { archive: number })).toMatchObject({ httpStatusCode: 409 })
    await sdk('thaw', { archive: number, until: '2020-01-01T00:00:00Z' })
    await product.retain()
    expect((await list())[0]?.thaw).toBeNull()
    expect(await rows()).toHaveLength(2)
  })

  it('another product takes an archive up and thaws it into logs of the same path', async () => {
    const other = await openProduct(openSearchPipeline({ clock: standingClock, store: {} }))
    try {
      // Its logs have other ids.
      await other.ingest([{ message: 'x', log: 'first' }, { message: 'y' }])
      const [archive] = await list()
      const entry = `${archive?.day}/${archive?.entry}`
      expect(await sdk('adoptArchive', { directory: folder, entry }, other)).toMatchObject({
        response: { state: 'asked', isForeign: true },
      })
      await other.retain()
      const [adopted] = await list(other)
      expect(adopted).toMatchObject({ state: 'done', events: 20 })
      await sdk('thaw', { archive: String(adopted?.number) }, other)
      await other.retain()
      expect((await list(other))[0]?.thaw).toMatchObject({ state: 'thawed', events: 20, fault: '' })
      expect(await rows(other)).toHaveLength(20)
      expect(
        await (
          await other.app.search({
            ...{ fixedInterval: 'allData', resultFormat: 'csv' },
            searchQuery: 'user = old and n > 9 | count',
          })
        ).text(),
      ).toMatch(/\b10\b/)
      // What is deleted here stays deleted, however often the day is loaded.
      const deleted = await sdk('deleteData', { log: LOG, query: 'n = 9' }, other)
      expect(deleted).toMatchObject({ response: { events: 1, archives: [adopted?.number] } })
      await other.retain()
      expect(await rows(other)).toHaveLength(19)
      await sdk('thaw', { archive: String(adopted?.number), until: '2020-01-01T00:00:00Z' }, other)
      await other.retain()
      expect(await rows(other)).toHaveLength(0)
      await sdk('thaw', { archive: String(adopted?.number) }, other)
      await other.retain()
      expect((await list(other))[0]?.thaw).toMatchObject({ state: 'thawed', events: 19, fault: '' })
      expect((await rows(other)).filter((row) => row.startsWith('ev 9 '))).toEqual([])
      await sdk('removeArchive', { archive: String(adopted?.number) }, other)
      await sdk('thaw', { archive: String(adopted?.number), until: '2020-01-01T00:00:00Z' }, other)
      await other.retain()
      await sdk('removeArchive', { archive: String(adopted?.number) }, other)
      await other.retain()
      expect(await list(other)).toEqual([])
      // Ours is whole.
      await sdk('verifyArchive', { archive: String(archive?.number) })
      await product.retain()
      expect((await list())[0]).toMatchObject({ state: 'done', fault: '' })
    } finally {
      await close(other)
    }
  })

  it('keeps the archive of what a legal hold keeps, and removes it after archiveDays', async () => {
    const [archive] = await list()
    const hold = await sdk('addHold', { log: LOG, reason: 'case 7' })
    await policy({ archiveDays: '20' })
    await product.retain()
    expect(await list()).toHaveLength(1)
    expect(await sdk('removeArchive', { archive: String(archive?.number) })).toMatchObject({
      httpStatusCode: 409,
    })
    await sdk('removeHold', { number: String((hold.response as { number: number }).number) })
    await policy({ archiveDays: '20' })
    await product.retain()
    expect(await list()).toEqual([])
    expect(await sdk('thaw', { archive: String(archive?.number) })).toMatchObject({
      httpStatusCode: 404,
    })
  })

  it('archives a day by command, which cannot be thawed while it is in the store', async () => {
    await policy({ archiveDays: '' })
    await send(5, 'asked', 4)
    const day = new Date(TODAY_MS - 5 * DAY_MS).toISOString().slice(0, 10)
    expect(await sdk('archive', { policy: POLICY, day: '2020-01-01' })).toMatchObject({
      httpStatusCode: 404,
    })
    expect(await sdk('archive', { policy: POLICY, day })).toMatchObject({
      response: { state: 'asked', day },
    })
    await product.retain()
    const [archive] = await list()
    expect(archive).toMatchObject({ state: 'done', events: 4 })
    expect(await sdk('thaw', { archive: String(archive?.number) })).toMatchObject({
      httpStatusCode: 409,
    })
    // A late event: the next archive of the day takes the place of the first.
    await send(5, 'late', 1)
    await policy({ storageDays: '2' })
    await product.retain()
    await product.retain()
    expect((await list()).map(({ events, state }) => [events, state])).toEqual([[5, 'done']])
    expect((await rows()).filter((row) => /asked|late/.test(row))).toEqual([])
  })
})

describeUnless(s3Missing(), 'into a bucket', () => {
  let server: S3Server
  beforeAll(async () => {
    server = await startS3Server()
  })
  afterAll(() => server.stop())

  it('keeps the day while the storage refuses its key, and archives it with the right one', async () => {
    const { endpoint, bucket, accessKey, secretKey } = server
    const account = { type: 's3', name: 'cold', bucket, endpoint, accessKey }
    const added = await sdk('addExternalAccount', { ...account, secretKey: 'wrong-secret' })
    expect(added).toMatchObject({ success: true })
    expect(await policy({ archiveAccount: 'nobody' })).toMatchObject({ success: false })
    const place = { archiveAccount: 'cold', archiveDirectory: 'logs/one' }
    expect(await policy({ ...place, storageDays: '10' })).toMatchObject({ success: true })
    await send(0, 'today', 1)
    await send(40, 'bucket', 7)
    await product.retain()
    const [failed] = await list()
    expect(failed).toMatchObject({ state: 'asked' })
    expect(failed?.fault).toMatch(/SignatureDoesNotMatch/)
    expect(failed?.fault).not.toContain('wrong-secret')
    expect((await rows()).filter((row) => row.includes('bucket'))).toHaveLength(7)
    expect(await sdk('removeAccount', { name: 'cold' })).toMatchObject({ httpStatusCode: 409 })

    await sdk('addExternalAccount', { ...account, secretKey, update: 'true' })
    await product.db.metastore.database.write((transaction) =>
      transaction.updateTable('archives').set({ tried_ms: 0 }).execute(),
    )
    await product.retain()
    const [archive] = await list()
    expect(archive).toMatchObject({ state: 'done', events: 7, fault: '' })
    expect((await rows()).filter((row) => row.includes('bucket'))).toEqual([])
    await sdk('thaw', { archive: String(archive?.number) })
    await product.retain()
    expect((await rows()).filter((row) => row.includes('bucket'))).toHaveLength(7)
    await sdk('thaw', { archive: String(archive?.number), until: '2020-01-01T00:00:00Z' })
    await product.retain()
    await sdk('removeArchive', { archive: String(archive?.number) })
    await product.retain()
    expect((await list()).some(({ number }) => number === archive?.number)).toBe(false)
  })
})
