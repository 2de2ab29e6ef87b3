// The pages that look after what runs by itself: monitors, alerts, tasks, storage, privacy, limits.
// Each is judged by what another interface shows.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Libsql from 'libsql'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { DATABASE_FILE } from '../../infra/database/database-file.ts'
import { findAccessFaults } from '../support/browser/access-faults.ts'
import { NO_CHROMIUM } from '../support/browser/chromium.ts'
import { type OwnConsoleTest, openConsoleTest } from '../support/browser/console.ts'
import { makeCommands } from '../support/browser/fill-console.ts'
import { fillPast, PAST_DAYS, PAST_EVENTS } from '../support/browser/fill-past.ts'
import { makeCollectedFolder } from '../support/run/collected-folder.ts'
import { describeUnless } from '../support/run/skip.ts'

const MANAGE = '/logeye/manage'
const EVENTS = 30
const FAILING = 10

describeUnless(NO_CHROMIUM, 'pages of Manage', () => {
  let test: OwnConsoleTest
  let directory = ''
  let archive = ''
  beforeAll(async () => {
    archive = mkdtempSync(join(tmpdir(), 'logeye-test-archive-'))
    directory = makeCollectedFolder()
    writeFileSync(join(directory, 'app.log'), 'one line\nsecond line\n')
    test = await openConsoleTest({
      environment: { LOGEYE_ROLES: 'listener,query,writer,scheduler,store,collector' },
      past: { days: PAST_DAYS, fill: (then) => fillPast(then, archive) },
    })
    await test.send(
      Array.from({ length: EVENTS }, (_, at) => ({
        message: `order ${at} ${at % 3 === 0 ? 'timeout' : 'accepted'} of anna.${at}@example.com`,
        level: at % 3 === 0 ? 'ERROR' : 'INFO',
      })),
    )
  })
  afterAll(async () => {
    await test?.close()
    for (const one of [directory, archive]) rmSync(one, { recursive: true, force: true })
  })

  const run = (command: string, given: object = {}) => makeCommands(test.product)(command, given)
  const countOf = async (query: string): Promise<unknown> => {
    const { url, secrets } = test.product
    const asked = new URLSearchParams({ query, interval: 'allData', buckets: '1' })
    const answer = await fetch(`${url}/logeye/api/search/histogram?${asked}`, {
      headers: { authorization: `Basic ${btoa(`admin:${secrets.password}`)}` },
    })
    return z.object({ response: z.object({ total: z.number() }) }).parse(await answer.json())
  }
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click()

  it('makes a monitor of a search, tries it, runs it, and sees to its alert', async () => {
    const { page, context, faults } = await test.openSignedIn('/logeye/?query=timeout')
    await page.getByRole('link', { name: 'Monitor', exact: true }).click()
    await page.getByRole('textbox', { name: 'Query', exact: true }).getByText('timeout').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Timeouts')
    await page.getByLabel('Window').selectOption('last')
    await page.getByLabel('How long').fill('1')
    await page.getByLabel('Unit').first().selectOption('days')
    await page.getByLabel('Every', { exact: true }).fill('6')
    await page.getByLabel('Unit').last().selectOption('hours')
    await page.getByLabel('Severity').selectOption('critical')
    await page.getByLabel('Tell end').check()
    await button(page, 'Create').click()
    await page.getByRole('heading', { name: 'Timeouts', level: 1 }).waitFor()
    expect(await run('list', { type: 'monitor', details: 'true' })).toMatchObject({
      objects: [
        { name: 'Timeouts', arguments: { query: 'timeout', tellEnd: 'true', enabled: 'true' } },
      ],
    })
    await tab(page, 'Dry run')
    await button(page, 'Try it on the last week').click()
    await page.locator('.trial-summary').waitFor()
    await tab(page, 'Runs and alerts')
    await button(page, 'Run now').click()
    await expect
      .poll(() => run('alerts'), { timeout: 240_000, interval: 250 })
      .toMatchObject({ alerts: [{ monitor: 'Timeouts', count: FAILING }] })
    await page.goto(`${test.product.url}${MANAGE}/alerts`)
    await button(page, 'Acknowledge').click()
    await page.getByText('acknowledged by admin').waitFor()
    expect(await run('alerts')).toMatchObject({ alerts: [{ acknowledgedBy: 'admin' }] })
    await page.getByLabel('Severity').selectOption('low')
    await page.getByText('No alert has this severity').waitFor()
    await page.getByLabel('Severity').selectOption('critical')
    await page.getByRole('link', { name: 'Timeouts' }).click()
    await page.getByRole('heading', { name: 'Rows that made it fail' }).waitFor()
    await page.getByText('Nobody was told').waitFor()
    expect(await findAccessFaults(page)).toEqual([])
    // Mute by keyboard.
    await page.goto(`${test.product.url}${MANAGE}/monitors?item=Timeouts`)
    await page.getByRole('button', { name: 'Mute ▾' }).press('Enter')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByText(/muted until/).waitFor()
    expect(await run('monitors', { name: 'Timeouts' })).toMatchObject({
      monitors: [{ mutedUntil: expect.any(String) }],
    })
    expect(faults).toEqual([])
    await context.close()
  })

  it('sends a report, and says what became of it', async () => {
    await run('addApp', { name: 'Sales' })
    await run('addDashboard', { app: 'Sales', name: 'Orders' })
    await run('addAlertTarget', { name: 'desk', type: 'mail', to: 'desk@example.com' })
    const given = { name: 'orders', dashboard: 'Sales->Orders', targets: 'desk' }
    await run('addReport', { ...given, schedule: 'monthly 1 08:00' })
    const address = `${MANAGE}/reports?item=orders`
    const { page, context, faults } = await test.openSignedIn(address)
    await button(page, 'Send now').click()
    // The product of this test has no mail server.
    await expect
      .poll(() => run('reports', { name: 'orders' }), { timeout: 240_000 })
      .toMatchObject({ reports: [{ status: 'failed' }] })
    await page.goto(`${test.product.url}${address}&tab=history`)
    await page.getByText('no mail server').first().waitFor()
    await page.getByText('desk: failed').waitFor()
    expect(await findAccessFaults(page)).toEqual([])
    expect(faults).toEqual([])
    await context.close()
  })

  it('runs a task at once, and says what went wrong with another', async () => {
    await run('addScanTask', { name: 'Local', directory })
    await run('addScanTask', { name: 'Gone', directory: join(directory, 'none') })
    const { page, context, faults } = await test.openSignedIn(`${MANAGE}/tasks?item=Local&tab=runs`)
    await page.getByText('No run yet').waitFor()
    await button(page, 'Run now').click()
    await page.getByRole('cell', { name: 'done' }).waitFor()
    expect(await run('listTaskRuns', { name: 'Local' })).toMatchObject({
      runs: [{ state: 'done', files: 1, events: 2 }],
    })
    expect(await run('listCollected')).toMatchObject({
      ...{ total: 1, logs: [{ log: 'app.log', files: 1, events: 2, behindBytes: 0, faults: [] }] },
    })
    await page.goto(`${test.product.url}${MANAGE}/tasks`)
    await page.getByRole('cell', { name: 'app.log' }).waitFor()
    // A log that lies in no folder is in the tree, too.
    await expect
      .poll(() => countOf('* in log.app.log'), { timeout: 240_000, interval: 250 })
      .toEqual({ response: { total: 2 } })
    await page.goto(`${test.product.url}${MANAGE}/tree`)
    const row = page.locator('.tree-row').filter({ hasText: 'app.log' })
    await expect
      .poll(() => row.locator('.tree-count').textContent(), { timeout: 240_000 })
      .toBe('2')
    await page.goto(`${test.product.url}${MANAGE}/tasks?item=Gone&tab=runs`)
    await button(page, 'Run now').click()
    await page.getByRole('cell', { name: 'is not there' }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('hides values of a listener after a dry run, and limits it', async () => {
    const item = `${MANAGE}/listeners?item=Default`
    const listener = { type: 'listener', names: 'Default', details: 'true' }
    const { page, context, faults } = await test.openSignedIn(`${item}&tab=masks`)
    await page.getByLabel('E-mail addresses').check()
    await page.getByLabel('What becomes of it').selectOption('replace')
    await page.getByLabel('Text in its place').fill('(mail)')
    await button(page, 'Try the rules').click()
    await page.getByText(`${EVENTS} of ${EVENTS} events have something to hide.`).waitFor()
    await page.getByRole('cell', { name: '(mail)' }).first().waitFor()
    await button(page, 'Save').click()
    await page.getByText('As it is saved.').waitFor()
    expect(await run('list', listener)).toMatchObject({
      objects: [{ arguments: { maskRules: 'replace (mail) email' } }],
    })
    await page.goto(`${test.product.url}${item}&tab=shaping`)
    await page.getByLabel('Drop filter').fill('timeout')
    await button(page, 'How many would it drop?').click()
    await page.getByText(`Of ${EVENTS} events`).waitFor()
    await page.getByText(`${FAILING} (33%) have this filter.`).waitFor()
    await page.getByLabel('Events a second').fill('none')
    await page.locator('.field-error').first().waitFor()
    await page.getByLabel('Events a second').fill('500')
    await page.getByLabel('Drop filter').fill('')
    await button(page, 'Save').click()
    await expect
      .poll(() => run('list', listener))
      .toMatchObject({ objects: [{ arguments: { maxEventsPerSecond: '500' } }] })
    await button(page, 'Make a new token').click()
    await page.getByText('The one before works for 24 hours more').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Make a new token' }).click()
    const token = await page.locator('.once-value').textContent()
    expect(token).not.toBe(test.product.secrets.token)
    // Both are taken.
    for (const one of [token, test.product.secrets.token]) {
      const path = `/logeye/api/logger.jsp?token=${one}&hostName=web-02`
      const sent = await fetch(`${test.product.url}${path}`, {
        ...{ method: 'POST', body: JSON.stringify([{ message: 'both tokens of bo@example.com' }]) },
        headers: { 'content-type': 'application/json' },
      })
      expect(sent.status).toBe(200)
    }
    await expect
      .poll(() => countOf('both'), { timeout: 240_000, interval: 100 })
      .toEqual({ response: { total: 2 } })
    await page.goto(`${test.product.url}/logeye/?query=both`)
    await page.getByText('2 events', { exact: true }).waitFor()
    await page.getByText('both tokens of (mail)').first().waitFor()
    await page.goto(`${test.product.url}${MANAGE}/privacy`)
    await page.getByText('replace (mail) email').waitFor()
    expect(await findAccessFaults(page)).toEqual([])
    expect(faults).toEqual([])
    await context.close()
  })

  it('hides values from people of a policy', async () => {
    await run('securityPolicies', { action: 'add', policyName: 'Support', operations: '' })
    const { page, context } = await test.openSignedIn(`${MANAGE}/policies?item=Support&tab=masks`)
    await page.getByLabel('IPv4 addresses').check()
    await button(page, '+ A column').click()
    await page.getByLabel('Name of the column').fill('user.password')
    await button(page, 'Save').click()
    await page.getByText('As it is saved.').waitFor()
    const listed = await run('list', { type: 'policy', details: 'true' })
    expect(JSON.stringify(listed)).toContain('ipv4@#@#column user.password')
    await context.close()
  })

  it('shows what takes the disk, holds events, and deletes them when the count is typed', async () => {
    const { page, context, faults } = await test.openSignedIn(`${MANAGE}/storage`)
    await page.getByRole('heading', { name: 'Logs', exact: true }).waitFor()
    await page.locator('.chart-fill-1').first().waitFor()
    await tab(page, 'Legal holds')
    await button(page, 'New legal hold').click()
    await page.getByRole('dialog').getByLabel('Log', { exact: true }).fill('Events->Default')
    await page.getByRole('dialog').getByLabel('Reason').fill('Case 7')
    await button(page, 'Hold').click()
    await page.getByRole('cell', { name: 'Case 7' }).waitFor()
    await tab(page, 'Deletions')
    await button(page, 'Delete data').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Log').fill('Events->Default')
    await dialog.getByLabel('Query').fill('timeout')
    await button(page, 'Count what it would delete').click()
    await dialog
      .getByText(/held|hold/)
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await tab(page, 'Legal holds')
    await button(page, 'Remove').click()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No legal hold.').waitFor()
    await tab(page, 'Deletions')
    await button(page, 'Delete data').click()
    await dialog.getByLabel('Log').fill('Events->Default')
    await dialog.getByLabel('Query').fill('timeout')
    await button(page, 'Count what it would delete').click()
    const confirm = button(page, `Delete ${FAILING} events`)
    await confirm.waitFor()
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByLabel(`Type ${FAILING} to delete`).fill(String(FAILING))
    await confirm.click()
    await page.getByRole('cell', { name: 'Events->Default' }).waitFor()
    await page.goto(`${test.product.url}/logeye/?query=timeout&interval=allData`)
    await page.getByText('0 events', { exact: true }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('keeps every page within a phone, says what failed, and asks again', async () => {
    const { page, context } = await test.openSignedIn(`${MANAGE}/storage`, { scheme: 'dark' })
    await page.setViewportSize({ width: 390, height: 844 })
    const paths = [
      'storage',
      'monitors',
      'reports',
      'alerts',
      'tasks',
      'privacy',
      'storage?tab=archives',
      'evidence',
      ...['own', 'audit', 'tree', 'health', 'silent', 'rejected', 'rights', 'users'],
      'listeners?item=Default&tab=shaping',
    ]
    for (const path of paths) {
      await page.goto(`${test.product.url}${MANAGE}/${path}`)
      await page.locator('h1').waitFor()
      await expect.poll(() => page.locator('.asked-wait').count(), { timeout: 240_000 }).toBe(0)
      const isWide = await page.evaluate(
        `[document.documentElement, document.querySelector('.manage-main')]
          .some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)`,
      )
      expect(isWide, path).toBe(false)
      expect(await findAccessFaults(page), path).toEqual([])
    }
    await page.route('**/logeye/sdk/diskUsage', (route) => route.abort())
    await page.goto(`${test.product.url}${MANAGE}/storage`)
    await page.getByRole('alert').getByText('The server does not answer.').waitFor()
    await page.unroute('**/logeye/sdk/diskUsage')
    await button(page, 'Try again').click()
    await page.getByRole('heading', { name: 'Logs', exact: true }).waitFor()
    await context.close()
  })

  const acts = async (page: Page, row: RegExp, name: string) => {
    // What lies behind a dialog takes no keys.
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('row', { name: row }).getByRole('button').press('Enter')
    await page.getByRole('menuitem', { name, exact: true }).press('Enter')
  }
  const archives = () => expect.poll(() => run('listArchives'), { timeout: 240_000, interval: 250 })

  it('archives a day, and brings back one that retention took out', async () => {
    const passing = { policy: 'Passing', state: 'done', events: PAST_EVENTS }
    await archives().toMatchObject({ archives: [{ ...passing, droppedAt: expect.any(String) }] })
    const { page, context, faults } = await test.openSignedIn(`${MANAGE}/storage?tab=archives`)
    const dialog = page.getByRole('dialog')
    await button(page, 'Archive a day').click()
    await dialog.getByLabel('Collection policy').selectOption('Keep')
    await dialog.getByText(`: ${PAST_EVENTS} events`).waitFor({ state: 'attached' })
    await dialog.getByRole('button', { name: 'Archive it' }).click()
    await page.getByRole('row', { name: /Keep/ }).waitFor()
    // All that is left of it goes only when its count is typed.
    await acts(page, /Passing/, 'Remove')
    await dialog.getByText(`${PAST_EVENTS} events`, { exact: false }).first().waitFor()
    expect(await dialog.getByRole('button', { name: 'Remove' }).isDisabled()).toBe(true)
    await dialog.getByLabel(`Type ${PAST_EVENTS} to remove`).fill(`${PAST_EVENTS}`)
    expect(await dialog.getByRole('button', { name: 'Remove' }).isDisabled()).toBe(false)
    await page.keyboard.press('Escape')
    await acts(page, /Passing/, 'Thaw')
    await dialog.getByLabel('Until').fill('never')
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Until').fill('')
    await page.keyboard.press('Enter')
    // The page follows by itself.
    await page
      .getByRole('row', { name: /Passing/ })
      .getByText('thawed')
      .waitFor()
    await page.getByRole('row', { name: /Keep.*whole/ }).waitFor()
    await page.goto(`${test.product.url}/logeye/?query=passing&interval=allData`)
    await page.getByText(`${PAST_EVENTS} events`, { exact: true }).waitFor()
    await page.goto(`${test.product.url}${MANAGE}/storage?tab=archives`)
    await acts(page, /Passing/, 'End the thaw')
    await dialog.getByText(`${PAST_EVENTS} events are no longer found.`).waitFor()
    await dialog.getByRole('button', { name: 'End the thaw' }).click()
    await acts(page, /Keep/, 'Remove')
    await dialog.getByText(`Its ${PAST_EVENTS} events are still in the store.`).waitFor()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('The archive of').waitFor()
    const left = expect.objectContaining({ policy: 'Keep', state: 'done' })
    await archives().toMatchObject({ archives: expect.not.arrayContaining([left]) })
    expect(faults).toEqual([])
    await context.close()
  })

  it('gives the evidence away, and names what was changed', async () => {
    const { page, context, faults } = await test.openSignedIn(`${MANAGE}/evidence`)
    await expect
      .poll(
        async () => {
          await button(page, 'Compare').or(button(page, 'Compare again')).first().click()
          const told = page.getByText('Nothing was changed.')
          await told.or(page.getByText('there is no evidence yet')).waitFor()
          return await told.count()
        },
        { timeout: 240_000, interval: 500 },
      )
      .toBe(1)
    const key = (await page.locator('.once-value').textContent()) ?? ''
    const database = new Libsql(join(test.product.dataDir, DATABASE_FILE))
    database.exec('PRAGMA busy_timeout = 5000')
    database.exec("UPDATE audit SET user_name = 'nobody' WHERE id = (SELECT max(id) FROM audit)")
    database.close()
    await button(page, 'Compare again').click()
    await page.getByText('1 thing was changed.').waitFor()
    await page.getByRole('row', { name: /audit log entry \d+/ }).waitFor()
    expect(await findAccessFaults(page)).toEqual([])
    await tab(page, 'Check it elsewhere')
    await page.getByLabel('With the entries of the audit log').check()
    const saving = page.waitForEvent('download')
    await button(page, 'Save the file').click()
    const text = readFileSync(await (await saving).path(), 'utf8')
    expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({ publicKey: key, hasAudit: true })
    expect(text).toContain('"user_name":"nobody"')
    expect(faults).toEqual([])
    await context.close()
  })
})
