// Collection policies by the SDK, each judged by what the store, the reads of the configuration and
// later commands show.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  listPolicies,
  removePolicy,
  requirePolicy,
} from '../../../infra/metastore/policies/collection-policies.ts'
import { MAX_COLLECTION_POLICIES } from '../../../schemas/collection-policy.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { makeConfigurationClient } from '../../support/clients/configuration-client.ts'

const EVERYTHING = {
  description: 'of the shop',
  storageDays: '30',
  storageMaxBytes: '500 GiB',
  storageDirectory: '/mnt/hot',
  storageDirectoryDays: '7',
  warningAddress: 'ops@example.com',
  archiveDirectory: '/mnt/cold',
  archiveDays: '400',
  archiveChecksum: 'sha256',
  forwardTo: 'tcp://collector:514',
  schedule: '0 1 * * 1-5',
}
const CLOCK = { nowMs: () => 1 }

let pipeline: SearchPipeline
let app: ReturnType<typeof openTestApp>
beforeAll(async () => {
  pipeline = await openSearchPipeline()
  app = openTestApp(pipeline.db, pipeline.engine.store)
})
afterAll(async () => {
  await app.app.stop()
  await pipeline.stop()
})

const admin = () =>
  makeConfigurationClient(app.call, { name: 'admin', password: pipeline.db.adminPassword })
const add = (given: Readonly<Record<string, string>>) => admin().do('addCollectionPolicy', given)
const write: SearchPipeline['db']['database']['write'] = (work) => pipeline.db.database.write(work)
const accountId = async (name: string) => {
  const accounts = pipeline.db.database.read.selectFrom('listener_accounts').select('id')
  return (await accounts.where('name', '=', name).executeTakeFirstOrThrow()).id
}
describe('addCollectionPolicy', () => {
  it('keeps every field, and says of some that they have no effect yet', async () => {
    const made = await add({ name: 'Shop', ...EVERYTHING })
    expect(made).toMatchObject({ success: true, response: { name: 'Shop' } })
    const { id, notes } = made.response as { id: number; notes: string[] }
    expect(notes.filter((note) => note.includes('schedule: kept, but '))).toHaveLength(1)
    expect(notes.join()).toContain('storageDirectory: NO DAY GOES THERE until')
    expect(notes.join()).toMatch(/what it no longer keeps is REMOVED from \d{4}-/)
    expect(notes.join()).toContain('LEAVES the product: it is sent to tcp://collector:514')
    const kept = {
      description: 'of the shop',
      storageDays: 30,
      storageMaxBytes: 500 * 1024 ** 3,
      storageDirectory: '/mnt/hot',
      storageDirectoryDays: 7,
      warningAddress: 'ops@example.com',
      archiveDirectory: '/mnt/cold',
      archiveDays: 400,
      archiveChecksum: 'sha256',
      forwardTo: 'tcp://collector:514',
      schedule: '0 1 * * 1-5',
    }
    expect(await write((t) => requirePolicy(t, 'shop'))).toMatchObject({
      id,
      name: 'Shop',
      policy: kept,
    })
    const changed = await add({ name: 'SHOP', storageDays: '', schedule: '', update: 'true' })
    expect(changed).toMatchObject({ response: { id, name: 'Shop' } })
    expect(await write((t) => requirePolicy(t, 'Shop'))).toMatchObject({
      policy: { ...kept, storageDays: null, schedule: '' },
    })
  })

  it('tells again what has no effect to who gives the policy to an account or a log', async () => {
    const { do: run } = admin()
    await add({ name: 'Shop', schedule: '0 1 * * *', update: 'true' })
    const notes = expect.arrayContaining([
      'collection policy Shop: schedule: kept, but files are read as they grow',
    ])
    expect(await run('addListener', { name: 'told', collectionPolicy: 'Shop' })).toMatchObject({
      response: { notes },
    })
    expect(await run('addLog', { name: 'told', collectionPolicy: 'Shop' })).toMatchObject({
      response: { notes },
    })
  })

  it('puts the events of a new account under its number, and shows its name on their log', async () => {
    const { response } = await add({ name: 'Separate' })
    const { id } = response as { id: number }
    await admin().do('addListener', {
      name: 'separate',
      parentFolder: 'Apart',
      collectionPolicy: 'separate',
    })
    await pipeline.ingest([{ message: 'apart 1' }, { message: 'apart 2' }], {
      accountId: await accountId('separate'),
    })
    await pipeline.ingest([{ message: 'as ever' }])
    const found = await pipeline.engine.store.query<{ policy: number; events: string }>({
      sql: 'SELECT policy, count() AS events FROM events GROUP BY policy ORDER BY policy',
    })
    expect(found.map(({ policy, events }) => [Number(policy), Number(events)])).toEqual([
      [1, 1],
      [id, 2],
    ])
    const { response: log } = await admin().read('log-configuration', {
      logPath: 'ROOT->Apart',
      logName: 'separate',
    })
    expect(log).toMatchObject({ collectionPolicy: 'Separate' })
  })

  it('refuses what is wrong, and changes nothing by it', async () => {
    const before = await write(listPolicies)
    const cases = [
      [{ name: 'shop' }, 409, 'the collection policy shop exists already, give -update true'],
      [{ name: 'Shоp' }, 400, '-name: must not mix letters'],
      [{ name: 'nowhere', update: 'true' }, 404, 'there is no collection policy nowhere'],
      [{ name: '' }, 400, '-name: must not be empty'],
      [{}, 400, '-name: is missing'],
      [{ name: 'x', storageDays: '0' }, 400, '-storageDays: must be from 1 to 36500'],
      [{ name: 'x', storageDays: 'ever' }, 400, '-storageDays: must be a whole number'],
      [{ name: 'x', storageMaxBytes: '-1' }, 400, '-storageMaxBytes: must be a size'],
      [{ name: 'x', archiveChecksum: 'crc' }, 400, '-archiveChecksum: must be none, md5'],
      [{ name: 'x', forwardTo: 'https://a:b@host/' }, 400, '-forwardTo: must be https://'],
      [{ name: 'x', forwardTo: 'file:///etc/passwd' }, 400, '-forwardTo: must be https://'],
      [{ name: 'x', forwardTo: 'https://h/?token=1' }, 400, '-forwardTo: must be https://'],
      [{ name: 'x', forwardTo: 'kafka://h/topic' }, 400, '-forwardTo: must be https://'],
      [{ name: 'x', schedule: '61 * * * *' }, 400, '-schedule: must be five fields'],
      [{ name: 'x', schedule: 'daily' }, 400, '-schedule: must be five fields'],
      [{ name: 'x', retention: '3' }, 400, '-retention: is not an argument of this command'],
    ] as const
    for (const [given, status, message] of cases)
      expect([given, await add(given)]).toMatchObject([
        given,
        { success: false, httpStatusCode: status, errorMessage: expect.stringContaining(message) },
      ])
    expect(await write(listPolicies)).toEqual(before)
  })
})

describe('a removed policy', () => {
  it('is refused while a log or an account uses it, and leaves its name free', async () => {
    const remove = (name: string) => write((t) => removePolicy(t, CLOCK, name, 'all'))
    await expect(remove('Separate')).rejects.toThrow(
      'is in use: the log separate, listener accounts',
    )
    const none = new Set<number>()
    await expect(write((t) => removePolicy(t, CLOCK, 'Separate', none))).rejects.toThrow(
      'is in use: listener accounts, what you may not view',
    )
    expect(
      await admin().do('removeObject', { type: 'collectionPolicy', name: 'Separate' }),
    ).toMatchObject({
      httpStatusCode: 409,
      errorMessage: expect.stringContaining('is in use: the log separate, listener accounts'),
    })
    await expect(remove('Default')).rejects.toThrow('is built in')
    const first = (await add({ name: 'Short' })).response as { id: number }
    await remove('short')
    await expect(remove('short')).rejects.toThrow('there is no collection policy short')
    const answer = await admin().do('addListener', { name: 'late', collectionPolicy: 'Short' })
    expect(answer).toMatchObject({ httpStatusCode: 404 })
    const second = (await add({ name: 'Short' })).response as { id: number }
    expect(second.id).toBeGreaterThan(first.id)
  })

  it('stays under the events of who used it before', async () => {
    await add({ name: 'Was' })
    const { do: run } = admin()
    await run('addListener', { name: 'was', parentFolder: 'Was', collectionPolicy: 'Was' })
    await run('addListener', { name: 'was', collectionPolicy: 'Default', update: 'true' })
    await write((t) => removePolicy(t, CLOCK, 'Was', 'all'))
    // Received before the change, and written after it: by version 1 of the account.
    await pipeline.ingest([{ message: 'late' }], { accountId: await accountId('was') })
    const { response } = await admin().read('log-configuration', {
      logPath: 'Was',
      logName: 'was',
    })
    expect(response).toMatchObject({ collectionPolicy: 'Was' })
  })
})

it('makes no more policies than the writer can serve', async () => {
  const there = (await write(listPolicies)).length
  for (let n = there; n < MAX_COLLECTION_POLICIES; n += 1)
    expect(await add({ name: `number ${n}` })).toMatchObject({ success: true })
  expect(await add({ name: 'one more' })).toMatchObject({
    httpStatusCode: 409,
    errorMessage: 'there are 64 of the kind collection policy, and no more can be made',
  })
})
