// A mask hides values from those who have it: whoever may change policies and groups takes none
// away from people who may view what he may not.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp } from '../../support/apps/query-app.ts'
import { makeConfigurationClient } from '../../support/clients/configuration-client.ts'
import { makeNewLog } from '../../support/database/new-log.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
import { makeFailingStore } from '../../support/store/failing-store.ts'

type Given = Record<string, string>

let db: QueryDatabase
let app: ReturnType<typeof openTestApp>

const as = (name: string) =>
  makeConfigurationClient(app.call, { name, password: `password of ${name}` })
const admin = () => makeConfigurationClient(app.call, { name: 'admin', password: db.adminPassword })
const exceeded = { httpStatusCode: 403, errorMessage: expect.stringMatching(/lacks/) }
const done = { success: true }

beforeAll(async () => {
  db = await openQueryDatabase()
  app = openTestApp(
    db,
    makeFailingStore(() => []),
  )
  for (const name of ['officer', 'miner', 'clerk']) await db.addUser(name, `password of ${name}`)
  await db.metastore.addLogs([
    makeNewLog({ folder: ['Open'], name: 'front' }),
    makeNewLog({ folder: ['Vault'], name: 'gold' }),
  ])
  const setUp: [string, Given][] = [
    ['securityPolicies', { policyName: 'officer', operations: 'system.security' }],
    ['securityPolicies', { policyName: 'veil', masks: 'email' }],
    ['securityGroups', { groupName: 'officers', policy: 'officer', members: 'officer' }],
    ['securityGroups', { groupName: 'veiled', policy: 'veil', members: 'miner' }],
    ['securityGroups', { groupName: 'veiled clerks', policy: 'veil', members: 'clerk' }],
  ]
  for (const [command, given] of setUp)
    expect(await admin().do(command, { action: 'add', ...given })).toMatchObject(done)
  const hidden = { path: 'Vault', type: 'folder', viewGroups: '', viewUsers: 'miner' }
  expect(await admin().do('setPermissions', hidden)).toMatchObject(done)
})
afterAll(async () => {
  await app.app.stop()
  await db.close()
})

describe('a mask', () => {
  it('is taken from nobody by whoever may not view the events', async () => {
    const ways: [string, Given][] = [
      ['securityPolicies', { policyName: 'veil', masks: '' }],
      ['securityPolicies', { policyName: 'veil', masks: 'column name' }],
      ['securityGroups', { groupName: 'veiled', policy: '' }],
      ['securityGroups', { groupName: 'veiled', removeMembers: 'miner' }],
    ]
    for (const [command, given] of ways) {
      const told = await as('officer').do(command, { action: 'edit', ...given })
      expect([command, given, told]).toMatchObject([command, given, exceeded])
    }
  })

  it('is taken by whoever views them, and given by any officer', async () => {
    const edit = (given: Given) => as('officer').do('securityGroups', { action: 'edit', ...given })
    expect(await edit({ groupName: 'veiled clerks', removeMembers: 'clerk' })).toMatchObject(done)
    expect(await edit({ groupName: 'veiled clerks', addMembers: 'clerk' })).toMatchObject(done)
  })
})

it('a token is taken from nobody who holds more', async () => {
  for (const [user, name] of [
    [admin(), 'admin'],
    [as('clerk'), 'clerk'],
  ] as const) {
    expect(await user.do('apiToken', { action: 'add', name: 'mine' })).toMatchObject(done)
    const given = { action: 'remove', name: 'mine', userName: name }
    const told = await as('officer').do('apiToken', given)
    expect([name, told]).toMatchObject([name, name === 'admin' ? exceeded : done])
  }
})
