// Names of new users and accounts: none that looks like another, is reserved or cannot be seen;
// those that exist go on.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { foldName } from '../../../infra/database/fold-name.ts'
import { addAccount, changeAccount } from '../../../infra/metastore/accounts/listener-accounts.ts'
import { addUser, editUser, removeUser } from '../../../infra/metastore/users/user-changes.ts'
import { isFailure } from '../../../schemas/failures.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
import { testClock } from '../../support/run/test-clock.ts'

let db: QueryDatabase
beforeAll(async () => {
  db = await openQueryDatabase()
})
afterAll(() => db.close())

const makeUser = (name: string) =>
  db.database.write((transaction) => addUser(transaction, name, { passwordHash: 'x' }))
const makeAccount = (name: string) =>
  db.database.write((transaction) => addAccount(transaction, testClock, name, {}))

async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'made'
  } catch (error) {
    return isFailure(error) ? `${error.code} ${error.message}` : String(error)
  }
}

describe('a new user', () => {
  it.each([
    ['аdmin', 'object.invalid'],
    ['аԁміп', 'made'],
    ['adrnin', 'object.looks_alike the user admin exists already, and "adrnin" looks like it'],
    ['ad\u200bmin', 'object.invalid name of the user: must hold no character that cannot be seen'],
    ['anonymous', 'object.invalid name of the user: this name is reserved'],
    ['Anonymous', 'object.invalid name of the user: this name is reserved'],
    ['system', 'object.invalid name of the user: this name is reserved'],
    ['иван', 'made'],
    ['田中', 'made'],
  ])('%s: %s', async (name, expected) => {
    expect(await refusal(makeUser(name))).toContain(expected)
  })

  it('may have the name of one who was removed', async () => {
    await makeUser('scope')
    expect(await refusal(makeUser('ѕсоре'))).toContain('the user scope exists already')
    await db.database.write((transaction) => removeUser(transaction, testClock, 'scope'))
    expect(await refusal(makeUser('ѕсоре'))).toBe('made')
  })

  it('of an older product keeps a name that would be refused today', async () => {
    const name = 'ѕecond'
    await makeUser('third')
    await db.database.write(async (transaction) => {
      const row = { name, name_folded: foldName(name) }
      await transaction.updateTable('users').set(row).where('name', '=', 'third').execute()
      await editUser(transaction, name, { isEnabled: false })
    })
    const found = await db.database.read
      .selectFrom('users')
      .select('is_enabled')
      .where('name', '=', name)
      .execute()
    expect(found).toEqual([{ is_enabled: 0 }])
  })
})

describe('a new account', () => {
  it('does not look like another, and the other can be changed', async () => {
    expect(await refusal(makeAccount('Dеfault'))).toContain('several scripts')
    await makeAccount('соре')
    expect(await refusal(makeAccount('cope'))).toContain(
      'the name "cope" looks like that of another account',
    )
    await db.database.write((transaction) =>
      changeAccount(transaction, testClock, 'соре', { isEnabled: false }),
    )
  })
})
