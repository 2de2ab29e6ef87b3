// More connections guess at once than there was room for: who did nothing wrong still gets in, on
// every surface.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp } from '../../support/apps/query-app.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
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
async function callAs(name: string, password: string, address: string): Promise<number> {
  const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
  const init = { method: 'POST', headers: { authorization }, body: '{}' }
  return (await app.call('/logeye/sdk/none', init, address)).status
}

it(`lets a user in from an untouched address while ${CONNECTIONS} connections guess unknown users`, async () => {
  const guesses = Array.from({ length: CONNECTIONS }, (_, at) =>
    callAs(`nobody ${at}`, 'guess', `10.0.0.${at}`),
  )
  expect(await callAs('admin', db.adminPassword, '10.200.0.1')).toBe(404)
  expect(new Set(await Promise.all(guesses))).toEqual(new Set([401]))
}, 240_000)
