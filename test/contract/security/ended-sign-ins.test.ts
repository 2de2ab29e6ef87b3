// Answers that go on for long end with what opened them: a removed token, an ended session, a new
// password, a second factor. Nothing that comes afterwards is told, in another process neither.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenedMetastore, openMetastore } from '../../../infra/metastore/open.ts'
import {
  type DeliveryApp,
  ingestNumbered,
  openDeliveryApp,
} from '../../support/apps/delivery-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { askSdk, basic, bearer, signInAs, textOf } from '../../support/clients/access-client.ts'
import { openTail } from '../../support/clients/json-client.ts'
import { silentLogger } from '../../support/database/query-database.ts'
import { testClock } from '../../support/run/test-clock.ts'

type Headers = Record<string, string>
/** A way in, and what ends it. */
type Way = (name: string) => Promise<{ readonly headers: Headers; end(): Promise<unknown> }>

let pipeline: SearchPipeline
/** Where the long answers are given. */
let other: OpenedMetastore
let app: DeliveryApp
/** Where the changes are made. */
let elsewhere: DeliveryApp
const moved = { ms: 0 }

beforeAll(async () => {
  pipeline = await openSearchPipeline()
  await ingestNumbered(pipeline, 'paged', 2500)
  other = await openMetastore({
    database: pipeline.db.database,
    logger: silentLogger,
    clock: testClock,
  })
  const elapsedMs = () => testClock.elapsedMs() + moved.ms
  const { readArrived } = pipeline
  app = openDeliveryApp(
    { ...pipeline, db: { ...pipeline.db, metastore: other } },
    { readArrived, clock: { ...testClock, elapsedMs } },
  )
  elsewhere = openDeliveryApp(pipeline)
})
afterAll(async () => {
  await app.app.stop()
  await other.close()
  await pipeline.stop()
})

const passwordOf = (name: string) => `password of ${name}`
const ask = async (command: string, given: Record<string, string>, headers: Headers) => {
  const told = await askSdk(elsewhere, command, given, headers)
  expect(told).toMatchObject({ status: 200 })
  return told
}
const asAdmin = () => basic('admin', pipeline.db.adminPassword)

const token: Way = async (name) => {
  const own = basic(name, passwordOf(name))
  const made = await ask('apiToken', { action: 'add', name: 'mine' }, own)
  return {
    headers: bearer(textOf(made, 'token')),
    // Another one of the name is not the one that was removed.
    end: async () => {
      await ask('apiToken', { action: 'remove', name: 'mine' }, own)
      await ask('apiToken', { action: 'add', name: 'mine' }, own)
    },
  }
}
const session: Way = async (name) => {
  const { headers, csrf } = await signInAs(elsewhere, { user: name, password: passwordOf(name) })
  const end = () =>
    elsewhere.call('/logeye/session', { method: 'DELETE', headers: { ...headers, ...csrf } })
  return { headers, end }
}
const password: Way = async (name) => ({
  headers: basic(name, passwordOf(name)),
  end: () =>
    ask(
      'securityUsers',
      { action: 'edit', userName: name, userPassword: 'quite another one' },
      asAdmin(),
    ),
})
const disabled: Way = async (name) => ({
  headers: basic(name, passwordOf(name)),
  end: () => ask('securityUsers', { action: 'edit', userName: name, enabled: 'false' }, asAdmin()),
})
const WAYS: Readonly<Record<string, Way>> = {
  'a removed token': token,
  'an ended session': session,
  'a changed password': password,
  'a disabled user': disabled,
}

describe.each(Object.keys(WAYS))('with %s', (kind) => {
  const open = async (user: string) => {
    const name = `${user} ${kind}`
    await pipeline.db.addUser(name, passwordOf(name))
    const way = await WAYS[kind]?.(name)
    if (way === undefined) throw new Error('no such way')
    return way
  }

  it('a live tail ends, and tells nothing more', async () => {
    const { headers, end } = await open('tailer')
    const tail = await openTail(app.call, 'news', headers, undefined)
    await pipeline.ingest([{ message: 'news before' }])
    await tail.until(1)
    await end()
    moved.ms += 1000
    await tail.ended
    expect(tail.errors.join()).toContain('sign_in')
    await pipeline.ingest([{ message: 'news after' }])
    expect(tail.events.map(({ message }) => message)).toEqual(['news before'])
    tail.close()
  })

  it('an export is cut off', async () => {
    const { headers, end } = await open('exporter')
    const given = { widgetId: 'searchAPI', fixedInterval: 'allData', searchQuery: 'paged' }
    const address = new URLSearchParams({ ...given, resultFormat: 'json' })
    const answer = await app.call(`/logeye/view/api/widgetAPI.jsp?${address}`, { headers })
    expect(answer.status).toBe(200)
    await end()
    // Beyond the second in which a change comes to another process.
    await other.refresh()
    moved.ms += 1000
    const read = async () => {
      for await (const _ of answer.body ?? []);
    }
    await expect(read()).rejects.toThrow('sign-in failed')
  })
})
