// Decision 1.7: with security off everybody is an administrator, and nobody can overlook it.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { printReady } from '../../../infra/cli/welcome.ts'
import { makeLogger } from '../../../infra/logger.ts'
import { readIsSecurityOn } from '../../../infra/metastore/first-start.ts'
import { setSetting } from '../../../infra/metastore/settings/setting-changes.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { makeFailingStore } from '../../support/store/failing-store.ts'

const TEXT = 'security is off: everybody is an administrator, without sign-in'

let db: QueryDatabase
beforeAll(async () => {
  db = await openQueryDatabase()
})
afterAll(() => db.close())

async function setSecurity(value: 'true' | 'false') {
  await db.database.write((transaction) => setSetting(transaction, 'system.security', value))
  await db.metastore.refresh()
}

it('is said at the start, with each change, on the start page, in the metrics and when ready', async () => {
  await setSecurity('false')
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const logger = makeLogger({ level: 'info', process: 'x', clock: testClock, write })
  const store = makeFailingStore(() => [])
  const { app, call, metrics } = openTestApp(db, store, { logger })
  const said = () => lines.filter((it) => it.includes('security is'))
  const page = async () => await (await call('/logeye/root.html')).text()
  expect(said()).toHaveLength(1)
  expect(said()[0]).toContain(`"level":"warn","process":"x","message":"${TEXT}"`)
  expect(await page()).toContain(TEXT)
  expect(await metrics.text()).toMatch(/^logeye_security_off\{.*\} 1$/m)
  expect(await readIsSecurityOn(db.database)).toBe(false)

  await setSecurity('true')
  expect(said()[1]).toContain('"message":"security is on again"')
  expect(await page()).not.toContain('security is off')
  expect(await metrics.text()).toMatch(/^logeye_security_off\{.*\} 0$/m)
  expect(await readIsSecurityOn(db.database)).toBe(true)

  await setSecurity('false')
  expect(said()[2]).toContain(TEXT)
  await setSecurity('true')
  await app.stop()
})

it('stands in what a start prints', () => {
  const print = (isSecurityOn: boolean) =>
    printReady({
      ...{ version: '1', seconds: 1, baseUrl: 'http://x', tlsPort: undefined },
      ...{ portalUrl: undefined, engine: 'e', dataDir: '/d', roles: [], isSecurityOn },
    })
  expect(print(false)).toContain('security  OFF: everybody is an administrator')
  expect(print(true)).not.toContain('OFF')
})
