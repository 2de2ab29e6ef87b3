// What X sees: the tree of a user with his rights, told to who manages users and to nobody else.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setViewers } from '../../../infra/metastore/rights/node-permissions.ts'
import { userView } from '../../../schemas/public-calls/user-view.ts'
import { okEnvelope } from '../../../schemas/search-json/answers.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { askSdk, basic } from '../../support/clients/access-client.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
import { makeFailingStore } from '../../support/store/failing-store.ts'

const PASSWORD = 'a good password'
let db: QueryDatabase
let app: ReturnType<typeof openTestApp>

beforeAll(async () => {
  db = await openQueryDatabase()
  app = openTestApp(
    db,
    makeFailingStore(() => []),
  )
  const own = basic('admin', db.adminPassword)
  for (const name of ['reader', 'guard']) await db.addUser(name, PASSWORD)
  const policy = { action: 'add', policyName: 'guards', operations: 'system.security' }
  expect((await askSdk(app, 'securityPolicies', policy, own)).status).toBe(200)
  const edit = { action: 'edit', userName: 'guard', policy: 'guards' }
  expect((await askSdk(app, 'securityUsers', edit, own)).status).toBe(200)
  for (const [folder, log] of [
    ['Open', 'access'],
    ['Vault', 'keys'],
    ['Store', 'orders'],
  ] as const) {
    expect((await askSdk(app, 'addFolder', { name: folder }, own)).error).toBe('')
    const given = { name: log, parentFolder: folder }
    expect((await askSdk(app, 'addLog', given, own)).error).toBe('')
  }
  const only = (users: string[]) => ({ groups: [], users })
  await db.database.write(async (transaction) => {
    await setViewers(transaction, { kind: 'folder', levels: ['Vault'] }, only(['reader']))
    await setViewers(transaction, { kind: 'folder', levels: ['Store'] }, only(['guard']))
  })
  await db.metastore.refresh()
})
afterAll(async () => {
  await app?.app.stop()
  await db?.close()
})

const ask = async (as: string, user: string) => {
  const headers = basic(as, as === 'admin' ? db.adminPassword : PASSWORD)
  return await app.call(`/logeye/api/user-view?user=${user}`, { headers })
}
const viewOf = async (as: string, user: string) =>
  okEnvelope(userView).parse(await (await ask(as, user)).json()).response
const OURS = /^System/

describe('what a user sees', () => {
  it('is told with his rights', async () => {
    const { nodes, hidden, isAdministrator, groups } = await viewOf('admin', 'READER')
    const own = nodes.filter(({ path }) => !OURS.test(path))
    expect(own.map(({ path, kind, mayEdit }) => [path, kind, mayEdit])).toEqual([
      ['Open', 'folder', false],
      ['Open->access', 'log', false],
      ['Vault', 'folder', false],
      ['Vault->keys', 'log', false],
    ])
    expect({ hidden, isAdministrator, groups }).toEqual({
      ...{ hidden: 0, isAdministrator: false, groups: ['everyone'] },
    })
    const admin = await viewOf('admin', 'admin')
    expect(admin).toMatchObject({ isAdministrator: true, user: 'admin' })
    expect(admin.nodes.some(({ path, mayEdit }) => path === 'Store->orders' && mayEdit)).toBe(true)
  })

  it('names nothing that the caller may not view', async () => {
    const { nodes, hidden } = await viewOf('guard', 'reader')
    expect(nodes.map(({ path }) => path).filter((path) => !OURS.test(path))).toEqual([
      'Open',
      'Open->access',
    ])
    expect(hidden).toBe(1)
  })

  it('is nothing of somebody who cannot sign in', async () => {
    const own = basic('admin', db.adminPassword)
    await db.addUser('gone', PASSWORD)
    await askSdk(app, 'securityUsers', { action: 'edit', userName: 'gone', enabled: 'false' }, own)
    expect(await viewOf('admin', 'gone')).toMatchObject({ isEnabled: false, nodes: [] })
  })

  it('is told to nobody who does not manage users, and each look is audited', async () => {
    expect((await ask('reader', 'admin')).status).toBe(403)
    expect((await ask('admin', 'nobody')).status).toBe(404)
    await app.app.stop()
    const rows = await db.database.read
      .selectFrom('audit')
      .select(['user_name', 'target', 'result'])
      .where('action', '=', 'user.view')
      .orderBy('id')
      .execute()
    expect(rows).toContainEqual({ user_name: 'guard', target: 'reader', result: 'done' })
    expect(rows.slice(-2)).toEqual([
      { user_name: 'reader', target: 'admin', result: 'rights.missing' },
      { user_name: 'admin', target: 'nobody', result: 'object.not_found' },
    ])
  })
})
