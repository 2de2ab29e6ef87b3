// Going to a page, dashboard, saved search or log: by its name, with keys alone, and by a link.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { findAccessFaults } from '../support/browser/access-faults.ts'
import { NO_CHROMIUM } from '../support/browser/chromium.ts'
import { type ConsoleTest, openSharedConsole } from '../support/browser/console.ts'
import { makeAdmin } from '../support/browser/fill-console.ts'
import { describeUnless } from '../support/run/skip.ts'

let test: ConsoleTest
let savedId = 0
const saved = z.object({ response: z.object({ id: z.number() }) })
const boxOf = (page: Page) =>
  page.getByRole('combobox', { name: 'A page, log, dashboard or saved search' })

describeUnless(NO_CHROMIUM, 'going to a place', () => {
  beforeAll(async () => {
    test = await openSharedConsole()
    await test.send([{ message: 'voucher 1', productName: 'vouchers' }], 'shop-01')
    const admin = makeAdmin(test.product)
    await admin('/logeye/api/apps/import', { readyMade: 'Linux' })
    const search = { query: 'voucher', time: { interval: 'last24Hours' } }
    const made = await admin('/logeye/api/saved-searches', { name: 'Late vouchers', search })
    savedId = saved.parse(made).response.id
  })
  afterAll(() => test?.close())

  it('opens by Ctrl K where somebody types, and finds each kind', async () => {
    const { page, context, faults } = await test.openSignedIn('/logeye/')
    const go = async (typed: string, found: string) => {
      await page.keyboard.press('Control+k')
      const box = boxOf(page)
      await box.waitFor()
      await page.keyboard.type(typed)
      await page.getByRole('option', { name: found, selected: true }).waitFor()
      expect(await findAccessFaults(page)).toEqual([])
      await page.keyboard.press('Enter')
      await box.waitFor({ state: 'detached' })
    }
    await page.locator('#query .cm-content').click()
    await go('listen', 'Manage Listeners')
    await page.getByRole('heading', { name: 'Listeners', level: 1 }).waitFor()
    await go('linux', 'Dashboard Linux / Machines')
    await page.getByRole('heading', { name: 'Linux / Machines' }).waitFor()
    await go('late', 'Saved search Late vouchers')
    await page.locator('#query .cm-content').getByText('voucher', { exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    await boxOf(page).waitFor()
    await page.keyboard.type('voucher')
    const log = page.getByRole('option', { name: /^Log .*vouchers/ })
    await log.waitFor()
    await log.click()
    await page.getByText('1 event', { exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('query')).toMatch(/in log\.vouchers$/)
    expect(faults).toEqual([])
    await context.close()
  })

  it('searches for what is called nothing, and closes by Escape where it was', async () => {
    const { page, context } = await test.openSignedIn('/logeye/manage/health')
    await page.getByRole('button', { name: /^Go to/ }).click()
    await boxOf(page).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('button:focus', { hasText: 'Go to' }).waitFor()
    await page.keyboard.press('Control+k')
    await boxOf(page).waitFor()
    await page.keyboard.type('voucher 1')
    await page.getByRole('option', { name: 'Search for voucher 1', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('#query .cm-content').getByText('voucher 1', { exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('query')).toBe('voucher 1')
    await context.close()
  })

  it('keeps a link to a saved search that cannot be read now, and tries it again', async () => {
    const { page, context } = await test.openSignedIn('/logeye/manage/own')
    await page.route('**/api/saved-searches/*', (route) => route.abort('connectionreset'))
    await page.goto(`${test.product.url}/logeye/?saved=${savedId}`)
    await page.getByText('The server does not answer.').waitFor()
    expect(new URL(page.url()).search).toBe(`?saved=${savedId}`)
    await page.unroute('**/api/saved-searches/*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('1 event', { exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('query')).toBe('voucher')
    await context.close()
  })
})
