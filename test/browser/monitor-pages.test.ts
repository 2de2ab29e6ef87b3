// The pages of monitors and their alerts. Each is judged by what another interface shows.
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { findAccessFaults } from '../support/browser/access-faults.ts'
import { NO_CHROMIUM } from '../support/browser/chromium.ts'
import { type ConsoleTest, openSharedConsole } from '../support/browser/console.ts'
import { makeAdmin } from '../support/browser/fill-console.ts'
import { describeUnless } from '../support/run/skip.ts'

const MONITORS = '/logeye/manage/monitors'
const listed = z.object({
  response: z.object({
    objects: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.string()) })),
  }),
})

describeUnless(NO_CHROMIUM, 'pages of monitors', () => {
  let test: ConsoleTest
  beforeAll(async () => {
    test = await openSharedConsole()
    await test.send(
      Array.from({ length: 12 }, (_, at) => ({
        message: `ferry ${at} ${at % 3 === 0 ? 'stranded' : 'accepted'}`,
        level: at % 3 === 0 ? 'ERROR' : 'INFO',
      })),
    )
    await run('addMonitor', {
      ...{ name: 'Timeouts', query: 'stranded', window: '1d', schedule: 'never' },
      rule: 'count > 3',
    })
  })
  afterAll(() => test?.close())

  const run = (command: string, given: object = {}) =>
    makeAdmin(test.product)(`/logeye/sdk/${command}`, given)
  const button = (page: Page | Locator, name: string) =>
    page.getByRole('button', { name, exact: true })
  const ruleOf = async (name: string) => {
    const { response } = listed.parse(await run('list', { type: 'monitor', details: 'true' }))
    return response.objects.find((one) => one.name === name)?.arguments.rule
  }

  it('asks for a rule by its kind and fields, which write its text', async () => {
    const { page, context, faults } = await test.openSignedIn(
      `${MONITORS}?new=1&set.query=stranded`,
    )
    const rule = page.getByLabel('Rule', { exact: true })
    const told = page.locator('.fields-below code')
    expect(await rule.inputValue()).toBe('exists')
    await page.locator('.fields-below').getByText('Fails when there is a row.').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Slow')
    await rule.selectOption({ label: 'A number in a column' })
    await page.getByText('Name a column.').waitFor()
    expect(await button(page, 'Create').isDisabled()).toBe(true)
    await page.getByLabel('Column', { exact: true }).fill('Time Taken')
    await page.getByLabel('Compared').selectOption('<')
    await page.getByLabel('Number', { exact: true }).fill('1,5')
    await page.getByText('It must be a number').waitFor()
    expect(await page.getByLabel('Number', { exact: true }).getAttribute('aria-invalid')).toBe(
      'true',
    )
    await page.getByLabel('Number', { exact: true }).fill('1.50')
    expect(await told.textContent()).toBe('column Time Taken < 1.50')
    expect(await findAccessFaults(page)).toEqual([])
    // The text is the same rule, and what is typed there stands in the fields.
    const what = page.getByRole('region', { name: 'What it looks for' })
    await button(what, 'Edit as text').click()
    expect(await rule.inputValue()).toBe('column Time Taken < 1.50')
    await rule.fill('count of rows')
    await page.getByText('must be exists, count > 5').waitFor()
    expect(await button(what, 'Edit as fields').isDisabled()).toBe(true)
    await rule.fill('count >= 3')
    await button(what, 'Edit as fields').click()
    expect(await rule.inputValue()).toBe('count')
    expect(await page.getByLabel('Compared').inputValue()).toBe('>=')
    expect(await page.getByLabel('Number', { exact: true }).inputValue()).toBe('3')
    await page.locator('.fields-below').getByText('Fails when there are at least 3 rows.').waitFor()
    await button(page, 'Create').click()
    await page.getByRole('heading', { name: 'Slow', level: 1 }).waitFor()
    expect(await ruleOf('Slow')).toBe('count >= 3')
    expect(faults).toEqual([])
    await context.close()
  })

  it('says beside its field what does not go with a rule', async () => {
    await run('addMonitor', { name: 'Quiet', query: 'ferry | count', schedule: 'never' })
    const { page, context } = await test.openSignedIn(`${MONITORS}?item=Quiet`)
    const window = page.getByLabel('Window', { exact: true })
    const describedBy = async (label: string) => {
      const field = page.getByLabel(label, { exact: true })
      const id = await field.getAttribute('aria-describedby')
      return await page.locator(`[id="${id}"]`).textContent()
    }
    await page.getByLabel('Rule', { exact: true }).selectOption('silence')
    expect(await describedBy('Window')).toBe('The rule silence needs a time such as 15m.')
    expect(await button(page, 'Save').isDisabled()).toBe(true)
    await window.selectOption('last')
    expect(await page.getByLabel('How long').inputValue()).toBe('15')
    // What only the server can tell.
    await button(page, 'Save').click()
    await page.getByText('The rule silence needs a query without stages.').waitFor()
    const query = page.getByRole('textbox', { name: 'Query', exact: true })
    const described = () => query.getAttribute('aria-description')
    await expect.poll(described).toBe('The rule silence needs a query without stages.')
    await page.locator('.cm-content:focus').waitFor()
    await query.fill('* in log.Default')
    await expect.poll(described).toBe('What it searches for, written as on the search page.')
    await button(page, 'Save').click()
    await page.getByRole('heading', { name: 'Monitors', level: 1 }).waitFor()
    expect(await ruleOf('Quiet')).toBe('silence')
    await context.close()
  })

  it('shows an alert with the rule that opened it, and times in one form', async () => {
    await run('monitors', { name: 'Timeouts', runNow: 'true' })
    const open = () => run('alerts')
    await expect
      .poll(open, { timeout: 240_000, interval: 250 })
      .toMatchObject({ response: { alerts: [{ monitor: 'Timeouts', rule: 'count > 3' }] } })
    const { page, context, faults } = await test.openSignedIn('/logeye/manage/alerts')
    await page.getByRole('link', { name: 'Timeouts' }).click()
    await page.getByText('fails when there are more than 3 rows').waitFor()
    await page.getByText('count > 3', { exact: true }).waitFor()
    const table = page.locator('.part', { hasText: 'Rows that made it fail' })
    const cells = table.getByRole('row').nth(1).getByRole('cell')
    expect(await cells.first().textContent()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect(await cells.nth(1).textContent()).toMatch(/^ferry \d+ stranded$/)
    expect(await page.locator('main').textContent()).not.toMatch(/\d\d\/\d\d\/\d{4}/)
    expect(await findAccessFaults(page)).toEqual([])
    expect(faults).toEqual([])
    await context.close()
  })

  it('keeps the head of a monitor where it is, whichever tab is shown', async () => {
    const { page, context } = await test.openSignedIn(`${MONITORS}?item=Timeouts`)
    const places = async () => {
      const found = []
      for (const name of ['Duplicate', 'Export', 'Remove'])
        found.push(await button(page, name).boundingBox())
      return found
    }
    const before = await places()
    for (const name of ['Runs and alerts', 'Dry run', 'Settings']) {
      await page.getByRole('tab', { name }).click()
      await page.getByRole('tab', { name, selected: true }).waitFor()
      expect(await places(), name).toEqual(before)
    }
    await context.close()
  })

  it('asks for a maintenance window once or again and again, and for monitors by name', async () => {
    const { page, context, faults } = await test.openSignedIn(`${MONITORS}?type=maintenanceWindow`)
    await page.getByRole('link', { name: 'New maintenance window' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Move')
    await page.getByRole('group', { name: 'Monitors' }).getByLabel('Timeouts').check()
    await page.getByLabel('Start', { exact: true }).fill('2030-03-01T22:00')
    await page.getByLabel('End', { exact: true }).fill('2030-03-01T21:00')
    await button(page, 'Create').click()
    await page.getByText('Must be after start').waitFor()
    await page.locator('input[name="end"]:focus').fill('2030-03-02T04:00')
    await page.getByText('2030-03-01 22:00 – 2030-03-02 04:00').waitFor()
    expect(await findAccessFaults(page)).toEqual([])
    await button(page, 'Create').click()
    const row = page.getByRole('row', { name: /Move/ })
    await row.getByText('2030-03-01 22:00:00 – 2030-03-02 04:00:00').waitFor()
    await row.getByText('to come').waitFor()
    await page.getByRole('link', { name: 'Move', exact: true }).click()
    await page.getByLabel('Again and again').check()
    await page.getByLabel('Saturday').uncheck()
    await page.getByLabel('Sunday').check()
    await page.getByLabel('At', { exact: true }).fill('02:00')
    await button(page, 'Save').click()
    await row.getByText('every Sunday at 02:00, for 1 h').waitFor()
    const { response } = listed.parse(
      await run('list', { type: 'maintenanceWindow', details: 'true' }),
    )
    expect(response.objects[0]?.arguments).toMatchObject({
      ...{ monitors: 'Timeouts', start: '', end: '', cron: '0 2 * * 0' },
    })
    expect(faults).toEqual([])
    await context.close()
  })

  it('asks for a report by what there is: dashboards, searches, targets', async () => {
    await run('addApp', { name: 'Store' })
    await run('addDashboard', { app: 'Store', name: 'Orders' })
    await run('addAlertTarget', { name: 'desk, late', type: 'mail', to: 'desk@example.com' })
    const reports = '/logeye/manage/reports'
    const { page, context, faults } = await test.openSignedIn(`${reports}?new=1`)
    await page.getByLabel('Name', { exact: true }).fill('Each Monday')
    await page.getByLabel('Dashboard', { exact: true }).selectOption('Store->Orders')
    await page.getByRole('group', { name: 'Targets' }).getByLabel('desk, late').check()
    expect(await findAccessFaults(page)).toEqual([])
    await button(page, 'Create').click()
    await page.getByRole('heading', { name: 'Each Monday', level: 1 }).waitFor()
    await page.goto(`${test.product.url}${reports}`)
    await page
      .getByRole('row', { name: /Each Monday/ })
      .getByText('Store->Orders as PDF')
      .waitFor()
    expect(await run('list', { type: 'report', details: 'true' })).toMatchObject({
      response: {
        objects: [{ arguments: { dashboard: 'Store->Orders', targets: '["desk, late"]' } }],
      },
    })
    expect(faults).toEqual([])
    await context.close()
  })
})
