// Users, view rights, audit and the first start over a real database.
import { describe, expect, it } from 'vitest'
import { resetPassword, resetToken, runFirstStart } from '../../../infra/metastore/first-start.ts'
import type { OpenedMetastore } from '../../../infra/metastore/open.ts'
import { inheritViewers, setViewers } from '../../../infra/metastore/rights/node-permissions.ts'
import { setSetting } from '../../../infra/metastore/settings/setting-changes.ts'
import { verifyPassword } from '../../../infra/metastore/users/password.ts'
import { addUser, editUser, removeUser } from '../../../infra/metastore/users/user-changes.ts'
import { ANONYMOUS_USER } from '../../../schemas/users.ts'
import { makeNewLog } from '../../support/database/new-log.ts'
import { open, openTwo, place, useMetastores } from '../../support/database/open-metastores.ts'
import { readerOf } from '../../support/database/reader.ts'
import { testClock } from '../../support/run/test-clock.ts'

useMetastores()

describe('users and rights', () => {
  const plain = (metastore: OpenedMetastore, name: string, groups: string[] = []) =>
    metastore.database.write((t) => addUser(t, name, { passwordHash: 'x', groups }))

  it('finds a user by name in any letter case, at once, and sees each change as a new version', async () => {
    const [one, other] = await openTwo()
    const id = await plain(one, 'Ann')
    expect(await other.users.find(' aNN ')).toMatchObject({
      id,
      name: 'Ann',
      version: 1,
      isAdministrator: false,
    })
    expect((await other.users.find('ann'))?.operations.size).toBe(0)
    await plain(one, 'root', ['administrators'])
    await one.database.write((t) => editUser(t, 'ann', { isEnabled: false }))
    expect(await other.users.find('ann')).toMatchObject({ version: 2, isEnabled: false })
    await one.database.write((t) => removeUser(t, testClock, 'ann'))
    expect(await other.users.find('ann')).toBeUndefined()
    expect(await plain(one, 'ann')).not.toBe(id)
  })

  it('makes an administrator by group and by policy', async () => {
    const metastore = await open()
    await plain(metastore, 'a', ['Administrators'])
    await metastore.database.write((t) =>
      addUser(t, 'b', { passwordHash: 'x', policy: 'administrators' }),
    )
    await metastore.database.write((t) =>
      addUser(t, 'c', { passwordHash: 'x', policy: 'view only' }),
    )
    const is = async (name: string) => (await metastore.users.find(name))?.isAdministrator
    expect([await is('a'), await is('b'), await is('c')]).toEqual([true, true, false])
  })

  it('never loses its last administrator', async () => {
    const metastore = await open()
    await plain(metastore, 'a', ['administrators'])
    const last = { code: 'object.last_administrator' }
    const write = metastore.database.write
    await expect(write((t) => removeUser(t, testClock, 'a'))).rejects.toMatchObject(last)
    await expect(write((t) => editUser(t, 'a', { isEnabled: false }))).rejects.toMatchObject(last)
    await expect(write((t) => editUser(t, 'a', { groups: [] }))).rejects.toMatchObject(last)
    expect(await metastore.users.find('a')).toMatchObject({ isAdministrator: true, version: 1 })
  })

  it('shows System to administrators only, and follows rights and new logs at once in the other process', async () => {
    const [one, other] = await openTwo()
    const admin = await plain(one, 'admin', ['administrators'])
    const ann = await plain(one, 'ann')
    const bob = await plain(one, 'bob')
    const [log] = await one.addLogs([makeNewLog({ folder: ['Web'], name: 'access' })])
    const logId = log?.id ?? 0
    const see = async () => [
      await other.visibleLogs(readerOf(ann)),
      await other.visibleLogs(readerOf(bob)),
    ]
    expect(await see()).toEqual([new Set([logId]), new Set([logId])])
    expect(await other.visibleLogs(readerOf(admin))).toBe('all')

    const web = { kind: 'folder' as const, levels: ['Web'] }
    await one.database.write((t) => setViewers(t, web, { groups: [], users: ['ann'] }))
    expect(await see()).toEqual([new Set([logId]), new Set()])
    const [second] = await one.addLogs([makeNewLog({ folder: ['Web', 'Edge'], name: 'error' })])
    expect(await see()).toEqual([new Set([logId, second?.id]), new Set()])
    const access = { kind: 'log' as const, levels: ['Web', 'access'] }
    await one.database.write((t) => setViewers(t, access, { groups: ['everyone'], users: [] }))
    expect(await see()).toEqual([new Set([logId, second?.id]), new Set([logId])])
    await one.database.write((t) => inheritViewers(t, web))
    expect(await see()).toEqual([new Set([logId, second?.id]), new Set([logId, second?.id])])
    expect(await other.visibleLogs(readerOf(bob))).toBe(await other.visibleLogs(readerOf(ann)))
  })

  it('shows nothing to a disabled, a removed and an unknown user', async () => {
    const metastore = await open()
    await plain(metastore, 'root', ['administrators'])
    const ids = [await plain(metastore, 'a', ['administrators']), await plain(metastore, 'b')]
    await metastore.database.write((t) => editUser(t, 'a', { isEnabled: false }))
    await metastore.database.write((t) => removeUser(t, testClock, 'b'))
    await metastore.addLogs([makeNewLog()])
    for (const id of [...ids, 4711])
      expect(await metastore.visibleLogs(readerOf(id))).toEqual(new Set())
  })

  it('shows anonymous everything while security is off, else nothing', async () => {
    const metastore = await open()
    expect(metastore.isSecurityOn()).toBe(true)
    expect(await metastore.visibleLogs(ANONYMOUS_USER)).toEqual(new Set())
    await metastore.database.write((t) => setSetting(t, 'system.security', 'false'))
    expect(await metastore.visibleLogs(ANONYMOUS_USER)).toBe('all')
    expect(metastore.isSecurityOn()).toBe(false)
  })

  it('refuses rights on System and on what does not exist', async () => {
    const metastore = await open()
    const set = (levels: string[], users: string[] = []) =>
      metastore.database.write((t) =>
        setViewers(t, { kind: 'folder', levels }, { groups: [], users }),
      )
    await expect(set(['System'])).rejects.toMatchObject({ code: 'object.built_in' })
    await expect(set(['Nope'])).rejects.toMatchObject({ code: 'object.not_found' })
    await expect(set([], ['nobody'])).rejects.toMatchObject({ code: 'object.not_found' })
    await set([])
  })
})

describe('audit', () => {
  it('keeps every entry of many at once, in order, with few commits', async () => {
    const metastore = await open()
    const entry = {
      userId: 1,
      userName: 'ann',
      address: '10.0.0.1',
      action: 'search',
      result: 'done',
    }
    await Promise.all(
      Array.from({ length: 500 }, (_, index) =>
        metastore.audit({ ...entry, target: String(index), details: { index } }),
      ),
    )
    const rows = await metastore.database.read
      .selectFrom('audit')
      .selectAll()
      .orderBy('id')
      .execute()
    expect(rows.map((row) => row.target)).toEqual(
      Array.from({ length: 500 }, (_, index) => String(index)),
    )
    expect(JSON.parse(rows[7]?.details ?? '')).toEqual({ index: 7 })
  })

  it('tells its caller when an entry cannot be kept', async () => {
    const metastore = await open()
    await place.hide()
    const entry = {
      userId: null,
      userName: '',
      address: '',
      action: 'a',
      target: '',
      result: 'done',
    }
    await expect(metastore.audit(entry)).rejects.toMatchObject({ code: 'database.unavailable' })
    await place.show()
    await metastore.audit(entry)
  })
})

describe('first start', () => {
  it('gives its secrets to one of two that start at once, and never again', async () => {
    const [one, other] = [await open(), await open()]
    const results = await Promise.all([
      runFirstStart({ database: one.database, clock: testClock }),
      runFirstStart({ database: other.database, clock: testClock }),
    ])
    const secrets = results.filter((result) => result !== null)
    expect(secrets).toHaveLength(1)
    expect(await runFirstStart({ database: one.database, clock: testClock })).toBeNull()
    await other.refresh()
    const account = other.accountByToken(secrets[0]?.token ?? '')
    expect(account).toMatchObject({
      name: 'Default',
      parentFolder: ['Events'],
      sourceSplit: 'none',
      policyId: 1,
    })
    const admin = await other.users.find('admin')
    expect(admin).toMatchObject({ isAdministrator: true, isEnabled: true })
    expect(await verifyPassword(secrets[0]?.adminPassword ?? '', admin?.passwordHash ?? '')).toBe(
      true,
    )
  })

  it('makes a new password and a new token on the machine, and audits it without them', async () => {
    const metastore = await open()
    const { database } = metastore
    const first = await runFirstStart({ database, clock: testClock })
    await metastore.database.write((t) =>
      addUser(t, 'second', { passwordHash: 'x', groups: ['administrators'] }),
    )
    await database.write((t) => editUser(t, 'admin', { isEnabled: false }))
    const password = await resetPassword({ database, clock: testClock, userName: 'admin' })
    const token = await resetToken({ database, clock: testClock, accountName: 'default' })
    await metastore.refresh()
    const admin = await metastore.users.find('admin')
    expect(admin?.isEnabled).toBe(true)
    expect(await verifyPassword(password, admin?.passwordHash ?? '')).toBe(true)
    expect(metastore.accountByToken(first?.token ?? '')).toBeUndefined()
    expect(metastore.accountByToken(token)).toMatchObject({ name: 'Default', version: 1 })
    const audit = JSON.stringify(await database.read.selectFrom('audit').selectAll().execute())
    expect(audit).toContain('machine.resetToken')
    for (const secret of [password, token]) expect(audit).not.toContain(secret)
    const unknown = resetPassword({ database, clock: testClock, userName: 'nobody' })
    await expect(unknown).rejects.toMatchObject({ code: 'object.not_found' })
  })
})
