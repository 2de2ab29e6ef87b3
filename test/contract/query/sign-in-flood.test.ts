// More connections guess at once than there was room for: who did nothing wrong still gets in, on
// every surface.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addSession } from '../../../infra/metastore/access/sessions.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { series } from '../../support/run/tier.ts'
import { makeFailingStore } from '../../support/store/failing-store.ts'

const CONNECTIONS = series(12, 120)

let db: QueryDatabase
let app: ReturnType<typeof openTestApp>
beforeAll(async () => {
  db = await openQueryDatabase()
  app = openTestApp(
    db,
    makeFailingStore(() => []),
  )
})
afterAll(() => db.close())

/** 404: signed in, and there is no such command. */
async function callAs(name: string, password: string, address: string, at = app): Promise<number> {
  const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
  const init = { method: 'POST', headers: { authorization }, body: '{}' }
  return (await at.call('/logeye/sdk/none', init, address)).status
}

it(`lets a user in from an untouched address while ${CONNECTIONS} connections guess unknown users`, async () => {
  const guesses = Array.from({ length: CONNECTIONS }, (_, at) =>
    callAs(`nobody ${at}`, 'guess', `10.0.0.${at}`),
  )
  expect(await callAs('admin', db.adminPassword, '10.200.0.1')).toBe(404)
  expect(new Set(await Promise.all(guesses))).toEqual(new Set([401]))
}, 240_000)

it('lets a user at a known address go before all guesses that wait', async () => {
  const address = '10.201.0.1'
  await db.database.write(async (transaction) => {
    const { id } = await transaction
      .selectFrom('users')
      .select('id')
      .where('name', '=', 'admin')
      .executeTakeFirstOrThrow()
    const session = { userId: id, signedInBy: 'password', address, endsMs: testClock.nowMs() + 1e6 }
    await addSession(transaction, testClock, session)
  })
  // Another process, which has checked no password yet.
  const fresh = openTestApp(
    db,
    makeFailingStore(() => []),
  )
  let answered = 0
  const guesses = Array.from({ length: CONNECTIONS }, async (_, at) => {
    await callAs(`nobody ${at}`, 'guess', `10.1.0.${at}`, fresh)
    answered += 1
  })
  expect(await callAs('admin', db.adminPassword, address, fresh)).toBe(404)
  // Two were being hashed; the user's own took the time of two more.
  expect(answered).toBeLessThanOrEqual(5)
  await Promise.all(guesses)
}, 240_000)
