// Legal holds as programs see them: of logs and folders that are removed, and by
// users who may not see all (docs/decisions/0084, 0085, 0089).
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addAccount } from '../../../infra/metastore/accounts/listener-accounts.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { makeConfigurationClient } from '../../support/clients/configuration-client.ts'
import { TEST_DATE_MS, testClock } from '../../support/run/test-clock.ts'

const DAY_MS = 86_400_000
const PASSWORD = 'a good password'
const NOW_MS = TEST_DATE_MS

let pipeline: SearchPipeline
let app: ReturnType<typeof openTestApp>
let accountId: number
beforeAll(async () => {
  pipeline = await openSearchPipeline({ clock: testClock })
  const { readArrived } = pipeline
  app = openTestApp(pipeline.db, pipeline.engine.store, { clock: testClock, readArrived })
  const splitColumns = [{ key: 'log', isHost: false }]
  const { account } = await pipeline.db.database.write((transaction) =>
    addAccount(transaction, testClock, 'split', { policyId: 1, splitColumns }),
  )
  accountId = account.id
  // Who may operate, and sees all but what is hidden from him.
  for (const [name, more] of [
    ['operator', {}],
    ['masked', { masks: 'column user' }],
  ] as const) {
    await pipeline.db.addUser(name, PASSWORD)
    const policy = { action: 'add', policyName: name, operations: 'system.operate,data.logs' }
    await done('securityPolicies', { ...policy, ...more })
    await done('securityUsers', { action: 'edit', userName: name, policy: name })
  }
  await done('setPermissions', { path: 'ROOT', type: 'folder', editUsers: 'operator,masked' })
})
afterAll(async () => {
  await app?.app.stop()
  await pipeline?.stop()
})

type Given = Readonly<Record<string, string>>
const sdk = (command: string, given: Given, name = 'admin') =>
  makeConfigurationClient(app.call, {
    name,
    password: name === 'admin' ? pipeline.db.adminPassword : PASSWORD,
  }).do(command, given)
async function done<Told>(command: string, given: Given, name?: string): Promise<Told> {
  const { success, response, errorMessage } = await sdk(command, given, name)
  if (!success) throw new Error(`${command}: ${errorMessage}`)
  return response as Told
}
type Hold = { readonly number: number; readonly target: string; readonly reason: string }
const holds = async (name?: string) =>
  (await done<{ holds: readonly Hold[] }>('listHolds', {}, name)).holds
const addHold = async (given: Given) => String((await done<Hold>('addHold', given)).number)
const rows = async () =>
  (
    await pipeline.engine.store.query<{ message: string }>({
      sql: 'SELECT message FROM events ORDER BY message',
    })
  ).map(({ message }) => message)
/** As if its limits were in force for long. */
const limit = async (name: string, storageDays: string) => {
  await done('addCollectionPolicy', { name, update: 'true', storageDays })
  await pipeline.db.database.write((transaction) =>
    transaction.updateTable('policy_retentions').set({ since_ms: 0 }).execute(),
  )
}

it('of a hidden log tell nothing to others, also when the log is removed', async () => {
  await pipeline.ingest([{ message: 'vault', user: 'ann', log: 'vault' }], { accountId })
  await done('setPermissions', { path: 'Events->vault', type: 'log', viewUsers: 'admin' })
  const number = await addHold({ log: 'Events->vault', reason: 'the merger' })
  const unseen = { target: '', reason: '' }
  expect(await holds('operator')).toMatchObject([unseen])
  expect(await sdk('removeHold', { number }, 'operator')).toMatchObject({ httpStatusCode: 404 })

  await done('removeMember', { path: 'Events->vault', type: 'log' })
  expect(await holds('operator')).toMatchObject([unseen])
  expect(await sdk('removeHold', { number }, 'operator')).toMatchObject({ httpStatusCode: 404 })
  // Whoever sees all keeps it in hand.
  expect(await holds()).toMatchObject([{ target: 'Events->vault', reason: 'the merger' }])
  await done('removeHold', { number })
  expect(await holds()).toEqual([])
})

it('of a hidden folder likewise', async () => {
  await done('addFolder', { name: 'Case' })
  await done('setPermissions', { path: 'Case', type: 'folder', viewUsers: 'admin' })
  const number = await addHold({ folder: 'Case', reason: 'case 8' })
  expect(await holds('operator')).toMatchObject([{ target: '', reason: '' }])
  await done('removeMember', { path: 'Case', type: 'folder' })
  expect(await holds('operator')).toMatchObject([{ target: '', reason: '' }])
  expect(await sdk('removeHold', { number }, 'operator')).toMatchObject({ httpStatusCode: 404 })
  await done('removeHold', { number })
})

it('keep the events of a log that is removed meanwhile', async () => {
  const receivedMs = NOW_MS - 30 * DAY_MS
  await pipeline.ingest([{ message: 'of a removed log', log: 'short' }], { receivedMs, accountId })
  await pipeline.ingest([{ message: 'today', log: 'today' }], { accountId })
  const number = await addHold({ folder: 'Events', reason: 'case 9' })
  await done('removeMember', { path: 'Events->short', type: 'log' })
  await limit('Default', '5')
  await pipeline.retain()
  expect(await rows()).toContain('of a removed log')
  const refused = await sdk('deleteData', { log: 'Events->short' })
  expect(refused).toMatchObject({ httpStatusCode: 409 })
  await done('removeHold', { number })
  await pipeline.retain()
  expect(await rows()).not.toContain('of a removed log')
})

it('a deletion answers nobody who guesses a value that is hidden from him', async () => {
  await pipeline.ingest([{ message: 'hidden value', user: 'Olga', log: 'people' }], { accountId })
  const guess = (user: string, name: string) =>
    sdk('deleteData', { log: 'Events->people', query: `user = ${user}`, dryRun: 'true' }, name)
  expect(await guess('Olga', 'operator')).toMatchObject({ response: { events: 1 } })
  const [right, wrong] = [await guess('Olga', 'masked'), await guess('Nobody', 'masked')]
  expect(right).toEqual(wrong)
  expect(right).toMatchObject({ success: false, httpStatusCode: 403 })
})

it('a hold of everything is shown as one of the root', async () => {
  const number = await addHold({ folder: 'ROOT', reason: 'case 9' })
  expect((await holds('operator')).at(-1)).toMatchObject({ target: 'ROOT', reason: 'case 9' })
  await done('removeHold', { number })
})
