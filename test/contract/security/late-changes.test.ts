// A command may take seconds before it changes anything: a hash, a look at another machine. Who has
// lost his rights by then changes nothing.
import { expect, it } from 'vitest'
import { addAccount, changeAccount } from '../../../infra/metastore/accounts/listener-accounts.ts'
import { runFirstStart } from '../../../infra/metastore/first-start.ts'
import { setViewers } from '../../../infra/metastore/rights/node-permissions.ts'
import { type Change, runWithinRights } from '../../../infra/metastore/run-within-rights.ts'
import { setSetting } from '../../../infra/metastore/settings/setting-changes.ts'
import { addPolicy } from '../../../infra/metastore/users/policy-changes.ts'
import { addUser, editUser, removeUser } from '../../../infra/metastore/users/user-changes.ts'
import { ANONYMOUS_USER, type UserRecord } from '../../../schemas/users.ts'
import { makeNewLog } from '../../support/database/new-log.ts'
import { openTwo, useMetastores } from '../../support/database/open-metastores.ts'
import { testClock } from '../../support/run/test-clock.ts'

useMetastores()

const NOTHING: Change = { operations: [], paths: new Set() }

async function begin() {
  const [one, other] = await openTwo()
  await runFirstStart({ database: one.database, clock: testClock })
  await one.database.write(async (transaction) => {
    await addUser(transaction, 'chief', { passwordHash: 'x', groups: ['administrators'] })
    await addUser(transaction, 'clerk', { passwordHash: 'x' })
  })
  const signIn = async (name: string) => {
    const user = await one.users.find(name)
    if (user === undefined) throw new Error(`there is no ${name}`)
    return user
  }
  /** In the other process. */
  const change = (by: UserRecord, change: Change = NOTHING) =>
    other.database.write((transaction) =>
      runWithinRights(transaction, by, change, () =>
        setSetting(transaction, 'system.sessionHours', '7'),
      ),
    )
  return { write: one.database.write, signIn, change, metastore: one }
}

const MISSING = { code: 'rights.missing' }

it('a user who was disabled or removed meanwhile changes nothing', async () => {
  const { write, signIn, change } = await begin()
  for (const name of ['chief', 'clerk']) {
    const signedIn = await signIn(name)
    await change(signedIn)
    await write((transaction) => editUser(transaction, name, { isEnabled: false }))
    await expect(change(signedIn)).rejects.toMatchObject(MISSING)
    await write((transaction) => editUser(transaction, name, { isEnabled: true }))
    await change(signedIn)
    await write((transaction) => removeUser(transaction, testClock, name))
    await expect(change(signedIn)).rejects.toMatchObject(MISSING)
  }
})

it('nor does one who was an administrator', async () => {
  const { write, signIn, change } = await begin()
  const signedIn = await signIn('chief')
  await write((transaction) => editUser(transaction, 'chief', { groups: [] }))
  await expect(change(signedIn)).rejects.toMatchObject(MISSING)
})

it('nor does one who lost the operation', async () => {
  const { write, signIn, change } = await begin()
  await write(async (transaction) => {
    await addPolicy(transaction, 'settings', { operations: ['system.settings'] })
    await editUser(transaction, 'clerk', { policy: 'settings' })
  })
  const signedIn = await signIn('clerk')
  const needs: Change = { ...NOTHING, operations: [['system.settings', 'system.operate']] }
  await change(signedIn, needs)
  await write((transaction) => editUser(transaction, 'clerk', { policy: '' }))
  await expect(change(signedIn, needs)).rejects.toMatchObject(MISSING)
})

it('nor whoever came while security was off', async () => {
  const { write, change } = await begin()
  await expect(change(ANONYMOUS_USER)).rejects.toMatchObject(MISSING)
  await write((transaction) => setSetting(transaction, 'system.security', 'false'))
  await change(ANONYMOUS_USER)
})

it('nor one who may not view the events any more', async () => {
  const { write, signIn, metastore } = await begin()
  await metastore.addLogs([makeNewLog({ folder: ['Vault'], name: 'gold' })])
  const settings = { parentFolder: ['Vault'], name: 'web' }
  await write((transaction) => addAccount(transaction, testClock, settings.name, settings))
  const signedIn = await signIn('clerk')
  const prefix = (logNamePrefix: string) =>
    write((transaction) =>
      runWithinRights(transaction, signedIn, { ...NOTHING, paths: new Set(['listener']) }, () =>
        changeAccount(transaction, testClock, settings.name, { logNamePrefix }),
      ),
    )
  await prefix('before-')
  const nobody = { groups: [], users: [] }
  const place = { kind: 'folder', levels: ['Vault'] } as const
  await write((transaction) => setViewers(transaction, place, nobody))
  await expect(prefix('after-')).rejects.toMatchObject({ code: 'rights.unseen' })
})
