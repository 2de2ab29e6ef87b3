// securityGroups and securityPolicies, each judged by what a user may then do and see: by another
// command, and by the rights in memory of another process.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenedMetastore, openMetastore } from '../../../infra/metastore/open.ts'
import { setViewers } from '../../../infra/metastore/rights/node-permissions.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { makeConfigurationClient } from '../../support/clients/configuration-client.ts'
import { makeNewLog } from '../../support/database/new-log.ts'
import {
  openQueryDatabase,
  type QueryDatabase,
  silentLogger,
} from '../../support/database/query-database.ts'
import { readerOf } from '../../support/database/reader.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { makeFailingStore } from '../../support/store/failing-store.ts'

let db: QueryDatabase
let app: ReturnType<typeof openTestApp>
/** Another process. */
let other: OpenedMetastore

beforeAll(async () => {
  db = await openQueryDatabase()
  other = await openMetastore({ database: db.database, logger: silentLogger, clock: testClock })
  app = openTestApp(
    db,
    makeFailingStore(() => []),
  )
  for (const name of ['ann', 'bob', 'eve']) await db.addUser(name, `password of ${name}`)
})
afterAll(async () => {
  await app.app.stop()
  await other.close()
  await db.close()
})

type Given = Record<string, string>

const as = (name: string) =>
  makeConfigurationClient(app.call, { name, password: `password of ${name}` })
const admin = () => makeConfigurationClient(app.call, { name: 'admin', password: db.adminPassword })
const group = (action: string, groupName: string, more: Given = {}) =>
  admin().do('securityGroups', { action, groupName, ...more })
const policy = (action: string, policyName: string, more: Given = {}) =>
  admin().do('securityPolicies', { action, policyName, ...more })
const done = { success: true }
const failed = (status: number, message: string) => ({
  success: false,
  httpStatusCode: status,
  errorMessage: expect.stringContaining(message),
})
/** In the other process. */
const operationsOf = async (name: string) => {
  const user = await other.users.find(name)
  return user?.isAdministrator === true ? 'all' : [...(user?.operations ?? [])].sort()
}

describe('securityPolicies', () => {
  it('chooses of the permission tree: a parent allows all below, nothing lets view only', async () => {
    await policy('add', 'keeper', { operations: 'data, search.cancelAll', displayName: 'Keeper' })
    await admin().do('securityUsers', { action: 'edit', userName: 'ann', policy: 'keeper' })
    expect(await operationsOf('ann')).toEqual(
      expect.arrayContaining(['data', 'data.listeners', 'data.logs', 'search.cancelAll']),
    )
    expect(await as('ann').do('addFolder', { name: 'of ann' })).toMatchObject(done)
    expect(await policy('edit', 'KEEPER', { operations: '' })).toMatchObject(done)
    expect(await operationsOf('ann')).toEqual([])
    expect(await as('ann').do('addFolder', { name: 'more' })).toMatchObject(failed(403, 'may not'))
    expect(await policy('edit', 'keeper', { description: 'd' })).toMatchObject(done)
    expect(await policy('remove', 'keeper')).toMatchObject(failed(409, 'in use: user ann'))
    await admin().do('securityUsers', { action: 'edit', userName: 'ann', policy: '' })
    expect(await policy('remove', 'keeper')).toMatchObject(done)
    expect(await policy('remove', 'keeper')).toMatchObject(failed(404, 'there is no policy keeper'))
  })

  it('refuses built-in ones, unknown operations, names that are or look taken', async () => {
    await policy('add', 'reader')
    const cases = [
      ['edit', 'administrators', {}, 409, 'built in'],
      ['remove', 'View Only', {}, 409, 'built in'],
      ['add', 'Reader', {}, 409, 'exists already'],
      ['add', 'reаder', {}, 400, '-policyName: '],
      ['add', 'x', { operations: 'data.everything' }, 400, 'there is no operation "data.everyth'],
      ['add', 'x', { operations: '*' }, 400, 'there is no operation "*"'],
      ['add', 'x', { operations: '["data' }, 400, '-operations: must be a,b or a JSON array'],
      ['add', '', {}, 400, '-policyName: must not be empty'],
      ['add', 'a\u0000b', {}, 400, '-policyName: must hold no control character'],
      ['add', 'x'.repeat(256), {}, 400, '-policyName: must have at most 255'],
      ['add', 'x', { policy: 'y' }, 400, '-policy: is not an argument of this command'],
      ['make', 'x', {}, 400, '-action: must be add, edit or remove'],
      ['edit', 'nope', {}, 404, 'there is no policy nope'],
    ] as const
    for (const [action, name, more, status, message] of cases)
      expect(await policy(action, name, more)).toMatchObject(failed(status, message))
    const kept = await db.database.read.selectFrom('policies').select('name').execute()
    expect(kept.map(({ name }) => name)).toEqual(['administrators', 'view only', 'reader'])
  })
})

describe('securityGroups', () => {
  it('gives members its policy, also through groups; an own policy stands for those of the parents', async () => {
    await policy('add', 'makes logs', { operations: 'data.logs' })
    await policy('add', 'cancels', { operations: 'search.cancelAll' })
    await group('add', 'staff', { policy: 'makes logs' })
    await group('add', 'night', { parents: 'staff', members: 'ann', description: 'by night' })
    expect(await operationsOf('ann')).toEqual(['data.logs'])
    await group('edit', 'night', { policy: 'cancels' })
    expect(await operationsOf('ann')).toEqual(['search.cancelAll'])
    await group('edit', 'night', { policy: '' })
    expect(await operationsOf('ann')).toEqual(['data.logs'])
    await group('edit', 'staff', { removeMembers: 'group:night' })
    expect(await operationsOf('ann')).toEqual([])
    await group('edit', 'staff', { addMembers: 'group:night,user:bob' })
    expect([await operationsOf('ann'), await operationsOf('bob')]).toEqual([
      ['data.logs'],
      ['data.logs'],
    ])
    expect(await policy('remove', 'makes logs')).toMatchObject(failed(409, 'in use: group staff'))
    await group('remove', 'staff')
    expect(await operationsOf('bob')).toEqual([])
    expect(await policy('remove', 'makes logs')).toMatchObject(done)
    await group('remove', 'night')
  })

  it('lets see what its lists name, until it is removed; the list stays closed then', async () => {
    const [log] = await db.metastore.addLogs([makeNewLog({ folder: ['Vault'], name: 'gold' })])
    await group('add', 'outer')
    await group('add', 'inner', { parents: 'outer', members: 'ann' })
    const place = { kind: 'folder', levels: ['Vault'] } as const
    await db.database.write((t) => setViewers(t, place, { groups: ['outer'], users: [] }))
    const see = async (name: string) => {
      const { id = 0 } = (await other.users.find(name)) ?? {}
      const visible = await other.visibleLogs(readerOf(id))
      return visible !== 'all' && visible.has(log?.id ?? 0)
    }
    expect([await see('ann'), await see('bob')]).toEqual([true, false])
    await group('remove', 'outer')
    expect([await see('ann'), await see('bob')]).toEqual([false, false])
    await group('add', 'outer', { members: 'ann' })
    expect(await see('ann')).toBe(false)
    for (const name of ['inner', 'outer']) await group('remove', name)
  })

  it('refuses circles of any length', async () => {
    await group('add', 'a')
    await group('add', 'b', { parents: 'a' })
    await group('add', 'c', { parents: 'b' })
    const circular = failed(409, 'would hold itself')
    expect(await group('edit', 'a', { parents: 'c' })).toMatchObject(circular)
    expect(await group('edit', 'c', { members: 'group:a' })).toMatchObject(circular)
    expect(await group('edit', 'a', { members: 'group:a' })).toMatchObject(circular)
    expect(await group('edit', 'a', { addMembers: 'group:b,group:c' })).toMatchObject(done)
    for (const name of ['a', 'b', 'c']) await group('remove', name)
  })

  it('refuses built-in ones, unknown members, names that are or look taken', async () => {
    await group('add', 'ops')
    await group('add', 'eve')
    const cases = [
      ['edit', 'everyone', { members: 'ann' }, 409, 'built in'],
      ['edit', 'administrators', { policy: '' }, 409, 'built in'],
      ['edit', 'Administrators', { parents: 'ops' }, 409, 'only its members can change'],
      ['remove', 'administrators', {}, 409, 'built in'],
      ['edit', 'ops', { parents: 'everyone' }, 409, 'everybody is in it'],
      ['edit', 'ops', { members: 'everyone' }, 409, 'nor be put into others'],
      ['edit', 'ops', { administrators: 'group:everyone' }, 409, 'nor be put into others'],
      ['add', 'OPS', {}, 409, 'exists already'],
      ['add', 'орs', {}, 400, '-groupName: '],
      ['add', 'a:b', {}, 400, '-groupName: must hold no colon'],
      ['edit', 'ops', { members: 'nobody' }, 404, 'there is no user or group nobody'],
      ['edit', 'ops', { members: 'user:ops' }, 404, 'there is no user ops'],
      ['edit', 'ops', { members: 'group:ann' }, 404, 'there is no group ann'],
      ['edit', 'ops', { members: 'eve' }, 400, 'write user:eve or group:eve'],
      ['edit', 'ops', { members: 'ann', addMembers: 'bob' }, 400, 'not together'],
      ['edit', 'ops', { policy: 'nope' }, 404, 'there is no policy nope'],
      ['edit', 'ops', { administrators: 'nobody' }, 404, 'there is no user or group nobody'],
      ['edit', 'ops', { administeredGroups: 'nope' }, 404, 'there is no group nope'],
      ['edit', "'; drop table users; --", {}, 404, 'there is no group'],
      ['add', 'x'.repeat(256), {}, 400, '-groupName: must have at most 255'],
      ['edit', 'ops', { users: 'ann' }, 400, '-users: is not an argument of this command'],
    ] as const
    for (const [action, name, more, status, message] of cases)
      expect(await group(action, name, more)).toMatchObject(failed(status, message))
    expect(await group('edit', 'ops', { members: 'user:eve,group:eve' })).toMatchObject(done)
    for (const name of ['ops', 'eve']) await group('remove', name)
  })

  it('never leaves the product without an administrator, on calls at once neither', async () => {
    const last = failed(409, 'the last enabled administrator')
    expect(await group('edit', 'administrators', { members: '' })).toMatchObject(last)
    await group('add', 'chiefs', { members: 'ann,bob', policy: 'administrators' })
    await group('edit', 'administrators', { removeMembers: 'admin' })
    expect(await as('ann').do('settings', { list: 'true' })).toMatchObject(done)
    const chief = (more: Given) =>
      as('ann').do('securityGroups', { action: 'edit', groupName: 'chiefs', ...more })
    const changes = await Promise.all([
      chief({ removeMembers: 'bob' }),
      as('bob').do('securityUsers', { action: 'edit', userName: 'ann', enabled: 'false' }),
      as('bob').do('securityGroups', {
        action: 'edit',
        groupName: 'chiefs',
        removeMembers: 'ann',
      }),
    ])
    expect(changes.some(({ success }) => success)).toBe(true)
    const left = await Promise.all(['admin', 'ann', 'bob'].map((name) => other.users.find(name)))
    expect(left.some((user) => user?.isEnabled && user.isAdministrator)).toBe(true)
    const chiefs = { action: 'edit', groupName: 'chiefs', policy: '' }
    const rest = left.find((user) => user?.isEnabled && user.isAdministrator)?.name ?? ''
    expect(await as(rest).do('securityGroups', chiefs)).toMatchObject(last)
    expect(
      await as(rest).do('securityGroups', { action: 'remove', groupName: 'chiefs' }),
    ).toMatchObject(last)
    const back = { action: 'edit', groupName: 'administrators', members: 'admin' }
    expect(await as(rest).do('securityGroups', back)).toMatchObject(done)
    for (const userName of ['ann', 'bob'])
      await admin().do('securityUsers', { action: 'edit', userName, enabled: 'true' })
    await group('remove', 'chiefs')
  })

  it('is audited, refusals too', async () => {
    await group('add', 'audited', { members: 'ann' })
    await as('eve').do('securityGroups', { action: 'remove', groupName: 'audited' })
    const rows = await db.database.read
      .selectFrom('audit')
      .select(['user_name', 'action', 'target', 'result'])
      .where('target', '=', 'audited')
      .orderBy('id')
      .execute()
    const action = 'sdk.securityGroups'
    expect(rows).toEqual([
      { user_name: 'admin', action, target: 'audited', result: 'done' },
      { user_name: 'eve', action, target: 'audited', result: 'rights.missing' },
    ])
    await group('remove', 'audited')
  })
})
