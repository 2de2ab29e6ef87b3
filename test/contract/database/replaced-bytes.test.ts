// What was replaced or removed is in no byte of the embedded database: secrets that were stored in
// plain text by an older version are gone once they are encrypted.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabase } from '../../../infra/database/open.ts'
import { seed } from '../../../infra/metastore/seed.ts'
import { addUser } from '../../../infra/metastore/users/user-changes.ts'
import { testClock } from '../../support/run/test-clock.ts'

const SECRETS = ['FIRSTPLAINSECRET234567', 'OTHERPLAINSECRET234567']

it('leaves no bytes of a secret that was replaced or removed', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-replaced-'))
  try {
    const database = await openDatabase({ url: undefined, dataDir, clock: testClock })
    await seed(database, testClock)
    const users: number[] = []
    await database.write(async (transaction) => {
      for (const [at, secret] of SECRETS.entries()) {
        const user_id = await addUser(transaction, `user ${at}`, { passwordHash: 'none' })
        users.push(user_id)
        const factor = { user_id, secret, is_confirmed: 1 as const, last_step: 0 }
        const nothing = { recovery_hashes: '[]', failures: 0, failures_from_ms: 0 }
        await transaction
          .insertInto('second_factors')
          .values({ ...factor, ...nothing })
          .execute()
      }
    })
    const [first = 0, other = 0] = users
    await database.write((transaction) =>
      transaction
        .updateTable('second_factors')
        .set({ secret: 'x'.repeat(200) })
        .where('user_id', '=', first)
        .execute(),
    )
    await database.write((transaction) =>
      transaction.deleteFrom('second_factors').where('user_id', '=', other).execute(),
    )
    await database.close()
    const bytes = readdirSync(dataDir).map((file) => readFileSync(join(dataDir, file), 'latin1'))
    expect(bytes.join('')).toContain('x'.repeat(200))
    for (const secret of SECRETS) expect(bytes.join('')).not.toContain(secret)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})
