// A thawed day shows each user what he may see (docs/decisions/0089, 0108): values that are hidden
// from him stay hidden, and so do logs, also those that were removed meanwhile.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addAccount } from '../../../infra/metastore/accounts/listener-accounts.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { makeConfigurationClient } from '../../support/clients/configuration-client.ts'
import { makeJsonClient } from '../../support/clients/json-client.ts'
import { standingClock } from '../../support/run/test-clock.ts'

const DAY_MS = 86_400_000
const PASSWORD = 'a good password'
const folder = mkdtempSync(join(tmpdir(), 'logeye-thaw-views-'))

let pipeline: SearchPipeline
let app: ReturnType<typeof openTestApp>
beforeAll(async () => {
  pipeline = await openSearchPipeline({ clock: standingClock })
  const { readArrived, keyFile } = pipeline
  app = openTestApp(pipeline.db, pipeline.engine.store, {
    clock: standingClock,
    readArrived,
    keyFile,
  })
})
afterAll(async () => {
  await app?.app.stop()
  await pipeline?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const userOf = (name: string) => ({
  name,
  password: name === 'admin' ? pipeline.db.adminPassword : PASSWORD,
})
const sdk = async (command: string, given: Readonly<Record<string, string>>, name = 'admin') => {
  const client = makeConfigurationClient(app.call, userOf(name))
  const { success, response, errorMessage } = await client.do(command, given)
  if (!success) throw new Error(`${command}: ${errorMessage}`)
  return JSON.stringify(response)
}
const seen = async (name: string, query: string) => {
  const body = { interval: 'allData', query }
  return await (await makeJsonClient(app.call, userOf(name)).post('events', body)).text()
}

it('to whom a value or a log is hidden it is hidden in a thawed day', async () => {
  const { database } = pipeline.db
  const splitColumns = [{ key: 'log', isHost: false }]
  const { account } = await database.write((transaction) =>
    addAccount(transaction, standingClock, 'split', { policyId: 1, splitColumns }),
  )
  const accountId = account.id
  const receivedMs = standingClock.nowMs() - 30 * DAY_MS
  await pipeline.ingest(
    [
      { message: 'planted open', user: 'Olga', log: 'open' },
      { message: 'planted vault', user: 'Vera', log: 'vault' },
      { message: 'planted removed', user: 'Rosa', log: 'removed' },
    ],
    { accountId, receivedMs },
  )
  await pipeline.ingest([{ message: 'today', log: 'open' }], { accountId })
  for (const name of ['masked', 'reader']) await pipeline.db.addUser(name, PASSWORD)
  const masks = { policyName: 'masks', operations: '', masks: 'column user' }
  await sdk('securityPolicies', { action: 'add', ...masks })
  await sdk('securityUsers', { action: 'edit', userName: 'masked', policy: 'masks' })
  await sdk('setPermissions', { path: 'Events->vault', type: 'log', viewUsers: 'admin' })
  const limits = { storageDays: '5', archiveDirectory: folder }
  await sdk('addCollectionPolicy', { name: 'Default', update: 'true', ...limits })
  await database.write((transaction) =>
    transaction.updateTable('policy_retentions').set({ since_ms: 0 }).execute(),
  )
  await pipeline.retain()
  expect(await seen('admin', 'planted')).not.toContain('planted open')
  await sdk('removeMember', { path: 'Events->removed', type: 'log' })
  await sdk('thaw', { archive: '1' })
  await pipeline.retain()

  const all = await seen('admin', 'planted')
  for (const value of ['planted open', 'Olga', 'planted vault', 'Vera'])
    expect(all, value).toContain(value)
  expect(all).not.toContain('Rosa')
  const reader = await seen('reader', 'planted')
  expect(reader).toContain('Olga')
  const masked = await seen('masked', 'planted')
  expect(masked).toContain('planted open')
  expect(masked).not.toContain('Olga')
  for (const answer of [reader, masked])
    for (const value of ['vault', 'Vera', 'removed', 'Rosa'])
      expect(answer, value).not.toContain(value)
  expect(await seen('masked', 'user = Olga')).not.toContain('planted')
})
