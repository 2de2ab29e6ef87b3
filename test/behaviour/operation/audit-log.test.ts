// The audit log as a log (docs/decisions/0046), over HTTP: what was done is found within seconds,
// each thing once, also when processes die; and only by those who may read it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callSdk } from '../../support/clients/call-sdk.ts'
import { makeSearchClient } from '../../support/clients/search-client.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { patient } from '../../support/run/patience.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

const PASSWORD = 'a good password'
const AUDIT = 'in log.System->audit'
const WITHIN = { timeout: patient(5000), interval: 100 }
/** After a kill: the lease of the dead process ends, another holds it. */
const AFTER_KILL = { timeout: 240_000, interval: 200 }
const COMMANDS = 60

let product: Product
const dataDir = mkdtempSync(join(tmpdir(), 'logeye-audit-'))

beforeAll(async () => {
  product = await startProduct({ dataDir })
  const admin = { url: product.url, password: product.secrets.password }
  await callSdk(admin, 'securityPolicies', {
    ...{ action: 'add', policyName: 'audits', operations: 'system.audit' },
  })
  for (const [userName, policy] of [
    ['auditor', 'audits'],
    ['reader', 'view only'],
  ] as const) {
    const add = { action: 'add', userName, userPassword: PASSWORD, policy }
    expect(await callSdk(admin, 'securityUsers', add)).toMatchObject({ success: true })
  }
})
afterAll(async () => {
  await product?.killAll()
  rmSync(dataDir, { recursive: true, force: true })
})

const as = (name: string) => makeSearchClient(product.url, PASSWORD, name)
const admin = () => ({ url: product.url, password: product.secrets.password })

it('shows an auditor a command, a failed sign-in and a search, each once and within seconds', async () => {
  await callSdk(admin(), 'addFolder', { name: 'audited folder' })
  await makeSearchClient(product.url, 'wrong', 'stranger').search('*')
  await as('reader').search('once upon a time')
  const command = `action = sdk.addFolder object = "audited folder" ${AUDIT}`
  const signIn = `user = stranger action = sign-in ${AUDIT}`
  const search = `user = reader details.query = "once upon a time" ${AUDIT}`
  for (const query of [command, signIn, search])
    await expect.poll(() => as('auditor').count(query), WITHIN).toBe(1)
  const shown = async (query: string) => {
    const columns = 'user, action, object, result, address, surface'
    return (await as('auditor').search(`${query} | display only ${columns}`)).rows.slice(1)
  }
  expect(await shown(command)).toEqual([
    ['admin', 'sdk.addFolder', 'audited folder', 'done', '127.0.0.1', 'sdk'],
  ])
  expect(await shown(signIn)).toEqual([
    ['stranger', 'sign-in', '', 'sign_in.failed', '127.0.0.1', 'sign-in'],
  ])
  expect(await shown(search)).toEqual([['reader', 'search', '', 'done', '127.0.0.1', 'search']])
  const listed = await as('auditor').search(`user = stranger ${AUDIT} | list user, action`)
  expect(listed).toMatchObject({ state: 'OK', numberOfResults: 1 })
  for (const query of [command, signIn, search, '*']) {
    expect(await as('reader').count(query)).toBe(0)
  }
  const all = await as('auditor').search('* in log.* | count | group by folder, log')
  expect(all.rows.slice(1).map(([folder, log]) => [folder, log])).toEqual([['System', 'audit']])
})

it('has each command once and in order, however often the process that copies is killed', async () => {
  const counted = `action = sdk.addFolder object = counted* ${AUDIT}`
  const copied = () => as('auditor').count(counted)
  let atKill = 0
  for (let n = 0; n < COMMANDS; n += 1) {
    const name = `counted ${String(n).padStart(3, '0')}`
    expect((await callSdk(admin(), 'addFolder', { name })).success).toBe(true)
    if (n % 15 !== 14) continue
    await waitUntil('some more are copied', async () => (await copied()) > atKill, copied)
    atKill = await copied()
    process.kill(await product.pidOf('work'), 'SIGKILL')
  }
  await expect.poll(() => as('auditor').count(counted), AFTER_KILL).toBe(COMMANDS)
  const { rows } = await as('auditor').search(
    `${counted} | order by entry | display only object, entry`,
    { maxNumOfRecords: '1000' },
  )
  expect(rows.slice(1).map(([object]) => object)).toEqual(
    Array.from({ length: COMMANDS }, (_, n) => `counted ${String(n).padStart(3, '0')}`),
  )
  const entries = await as('auditor').search(`* ${AUDIT} | count, count distinct entry`)
  expect(entries.rows[1]?.[0]).toBe(entries.rows[1]?.[1])
})
