// The form of a monitor: what is chosen in it, and the trial of what is typed.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { findAccessFaults } from '../support/browser/access-faults.ts'
import { NO_CHROMIUM } from '../support/browser/chromium.ts'
import { type ConsoleTest, openSharedConsole } from '../support/browser/console.ts'
import { makeAdmin } from '../support/browser/fill-console.ts'
import { describeUnless } from '../support/run/skip.ts'
import { waitUntil } from '../support/run/wait-until.ts'

const MONITORS = '/logeye/manage/monitors'
const listed = z.object({
  response: z.object({
    objects: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.string()) })),
  }),
})

describeUnless(NO_CHROMIUM, 'form of a monitor', () => {
  let test: ConsoleTest
  beforeAll(async () => {
    test = await openSharedConsole()
    await test.send(
      Array.from({ length: 12 }, (_, at) => ({
        message: `trip ${at} ${at % 3 === 0 ? 'delayed' : 'accepted'}`,
      })),
      'van',
    )
  })
  afterAll(() => test?.close())

  const run = (command: string, given: object = {}) =>
    makeAdmin(test.product)(`/logeye/sdk/${command}`, given)
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const monitorsNow = async () =>
    listed.parse(await run('list', { type: 'monitor', details: 'true' })).response.objects

  /** The editor takes no key of somebody who cannot have read the list yet. */
  const chooseOption = (page: Page) =>
    waitUntil('an option is chosen', async () => {
      await page.keyboard.press('ArrowDown')
      return (await page.locator('[role="option"][aria-selected="true"]').count()) > 0
    })

  it('tries what is typed before anything is saved', async () => {
    const before = await monitorsNow()
    const { page, context, faults } = await test.openSignedIn(`${MONITORS}?new=1&set.window=1d`)
    const panel = page.getByRole('region', { name: 'Try it' })
    await panel.getByText('Type a query first.').waitFor()
    expect(await button(page, 'Try it').isDisabled()).toBe(true)
    await page.getByLabel('Query', { exact: true }).fill('delayed')
    await page.getByLabel('Rule', { exact: true }).selectOption('count')
    await page.getByLabel('Number', { exact: true }).fill('3')
    await panel.getByText('Fails when there are more than 3 rows.').waitFor()
    await panel.getByLabel('Over').selectOption('1h')
    // By keyboard alone.
    await button(page, 'Try it').focus()
    await page.keyboard.press('Enter')
    await panel.getByText(/of 1[12] runs would have failed|None of 1[12] runs/).waitFor()
    expect(await panel.getByText('The form has changed since.').count()).toBe(0)
    await page.getByLabel('Number', { exact: true }).fill('30')
    await panel.getByText('The form has changed since.').waitFor()
    await button(page, 'Try again').click()
    await panel.getByText(/None of 1[12] runs would have failed/).waitFor()
    expect(await findAccessFaults(page)).toEqual([])
    expect(await monitorsNow()).toEqual(before)
    expect(faults).toEqual([])
    await context.close()
  })

  it('completes the query and names of columns, and leaves the keys of a form alone', async () => {
    const { page, context, faults } = await test.openSignedIn(`${MONITORS}?new=1`)
    const query = page.getByRole('textbox', { name: 'Query', exact: true })
    await query.focus()
    await page.keyboard.type('host = v')
    await page.getByRole('option', { name: /van-/ }).waitFor()
    // Nothing was chosen: Tab goes on, and changes no query.
    await page.keyboard.press('Tab')
    await page.locator('select[name="rule"]:focus').waitFor()
    expect(await query.textContent()).toBe('host = v')
    await query.focus()
    await page.keyboard.press('End')
    await page.keyboard.type('a')
    await page.getByRole('option', { name: /van-/ }).waitFor()
    await chooseOption(page)
    await page.keyboard.press('Tab')
    await expect.poll(() => query.textContent()).toMatch(/^host = van-\w+$/)
    await page.keyboard.press('Enter')
    expect(await page.getByRole('heading', { name: 'New monitor' }).count()).toBe(1)
    const group = page.getByLabel('Group by', { exact: true })
    await group.fill('ho')
    await page.locator('datalist option[value="host"]').waitFor({ state: 'attached' })
    await page.getByLabel('Rule', { exact: true }).selectOption('column')
    await page.getByLabel('Column', { exact: true }).fill('mes')
    await page.locator('datalist option[value="message"]').waitFor({ state: 'attached' })
    // The scope alone stands in this field.
    const sources = page.getByRole('textbox', { name: 'Sources', exact: true })
    await sources.focus()
    await page.keyboard.type('log.Def')
    await page.locator('li[role="option"]', { hasText: 'Default' }).waitFor()
    await chooseOption(page)
    await page.keyboard.press('Tab')
    await expect.poll(() => sources.textContent()).toBe('log.Default')
    expect(await findAccessFaults(page)).toEqual([])
    expect(faults).toEqual([])
    await context.close()
  })

  it('completes who is told later, and where copies of events may go', async () => {
    const hook = { type: 'webhook', targetURL: 'https://hooks.example.com/a' }
    const signingSecret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`
    await run('addAlertTarget', { name: 'boss', ...hook, signingSecret })
    await run('addAlertTarget', { name: 'desk', type: 'mail', to: 'desk@example.com' })
    const { page, context, faults } = await test.openSignedIn(`${MONITORS}?new=1`)
    await page.getByLabel('Escalation', { exact: true }).fill('15m: desk, 1h: b')
    const option = (value: string) => page.locator(`datalist option[value="${value}"]`)
    await option('15m: desk, 1h: boss').waitFor({ state: 'attached' })
    await page.goto(`${test.product.url}/logeye/manage/collection?new=1`)
    await page.getByLabel('Forward to', { exact: true }).fill('a')
    await option('account:boss').waitFor({ state: 'attached' })
    // A mail target takes no copies.
    expect(await option('account:desk').count()).toBe(0)
    expect(faults).toEqual([])
    await context.close()
  })

  it('shows the rows of a run that fails, and tells what is wrong', async () => {
    const given = 'set.query=delayed&set.schedule=never&set.window=1d&set.rule=count+%3E+3'
    const { page, context, faults } = await test.openSignedIn(`${MONITORS}?new=1&${given}`)
    const panel = page.getByRole('region', { name: 'Try it' })
    await button(page, 'Try it').click()
    await panel.getByText('Its one run would have failed. 1 alert opens.').waitFor()
    await panel
      .getByText(/^trip \d+ delayed$/)
      .first()
      .waitFor()
    expect(await findAccessFaults(page)).toEqual([])
    await page.getByLabel('Query', { exact: true }).fill('delayed and')
    await button(page, 'Try again').click()
    await panel.getByRole('alert').waitFor()
    expect(await panel.getByRole('alert').textContent()).not.toMatch(/^-/)
    expect(faults).toEqual([])
    await context.close()
  })

  it('tries a saved one as it is changed, and leaves it as it was', async () => {
    await run('addMonitor', {
      name: 'Kept trips',
      query: 'delayed',
      window: '1d',
      schedule: 'never',
    })
    const before = await monitorsNow()
    const { page, context } = await test.openSignedIn(`${MONITORS}?item=Kept%20trips`)
    await page.getByLabel('Query', { exact: true }).fill('nothing like this')
    await button(page, 'Try it').click()
    await page.getByText('Its one run would have passed. No alert opens.').waitFor()
    expect(await monitorsNow()).toEqual(before)
    await context.close()
  })

  it('chooses schedule and window, and keeps what only a text can say', async () => {
    const { page, context, faults } = await test.openSignedIn(`${MONITORS}?new=1&set.query=trip`)
    await page.getByLabel('Name', { exact: true }).fill('Chosen')
    const schedule = page.getByLabel('Schedule', { exact: true })
    expect(await schedule.inputValue()).toBe('every')
    await page.getByText(/^Next: /).waitFor()
    await schedule.selectOption('weekly')
    await page.getByLabel('Monday').uncheck()
    await page.getByText('Choose a time').waitFor()
    expect(await button(page, 'Create').isDisabled()).toBe(true)
    await page.getByLabel('Thursday').check()
    await page.getByLabel('At', { exact: true }).fill('17:30')
    await page.getByLabel('Time zone').fill('Europe/Berlin')
    await page.getByText(/^Next: .*17:30/).waitFor()
    await page.getByLabel('Window', { exact: true }).selectOption('last')
    await page.getByLabel('How long').fill('')
    await page.getByText('Type a whole number').waitFor()
    await page.getByLabel('How long').fill('90')
    expect(await findAccessFaults(page)).toEqual([])
    await button(page, 'Create').click()
    await page.getByRole('heading', { name: 'Chosen', level: 1 }).waitFor()
    const saved = async () => (await monitorsNow()).find(({ name }) => name === 'Chosen')?.arguments
    expect(await saved()).toMatchObject({
      ...{ schedule: 'weekly thu 17:30', window: '90m', timeZone: 'Europe/Berlin' },
    })
    const part = page.getByRole('region', { name: 'When it runs' })
    await part.getByRole('button', { name: 'Edit as text' }).click()
    await schedule.fill('*/7 8-17 * * 1-5')
    expect(await part.getByRole('button', { name: 'Edit as fields' }).isDisabled()).toBe(true)
    await button(page, 'Save').click()
    await page.getByRole('heading', { name: 'Monitors', level: 1 }).waitFor()
    expect(await saved()).toMatchObject({ schedule: '*/7 8-17 * * 1-5', window: '90m' })
    expect(faults).toEqual([])
    await context.close()
  })
})
