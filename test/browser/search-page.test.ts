// The search page where there is little room.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findAccessFaults } from '../support/browser/access-faults.ts'
import { chromiumPath } from '../support/browser/chromium.ts'
import { type ConsoleTest, openConsoleTest } from '../support/browser/console.ts'

const EVENTS = 12
const PHONE = { width: 390, height: 844, isTouch: true }

describe.skipIf(chromiumPath === undefined)('the search page (needs chromium)', () => {
  let test: ConsoleTest
  beforeAll(async () => {
    test = await openConsoleTest()
    await test.send(
      Array.from({ length: EVENTS }, (_, at) => ({ message: `order ${at}`, service: 'shop' })),
    )
  })
  afterAll(() => test?.close())

  const found = (page: Page) => page.getByText(`${EVENTS} events`, { exact: true }).waitFor()

  it('has two rows of what can be done on a phone, and the rest in a menu', async () => {
    const path = '/logeye/?query=order&interval=allData&by=service'
    const { page, context, faults } = await test.openSignedIn(path, PHONE)
    await found(page)
    const rows = await page.evaluate<number[]>(`
      [...document.querySelectorAll('.search-bar > *, .search-bar .menu, .search-bar .button')]
        .map((one) => one.getBoundingClientRect())
        .filter(({ width, height }) => width > 0 && height > 0)
        .map(({ top, bottom }) => Math.round((top + bottom) / 2))`)
    expect(new Set(rows).size).toBeLessThanOrEqual(2)
    const more = page.getByRole('button', { name: 'More ▾' })
    const choose = async (name: string) => {
      await more.click()
      await page.getByRole('menuitem', { name, exact: true }).click()
    }
    await more.click()
    const groups = page.getByRole('menu').getByRole('group').locator('.menu-group')
    await groups.first().waitFor()
    expect(await groups.allTextContents()).toEqual(['Compare', 'Share', 'Export', 'View'])
    expect(await findAccessFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await choose('Wrap')
    await expect.poll(() => page.url()).toContain('wrap=1')
    await choose('Save')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await choose('Make a monitor of this search')
    await page.getByRole('heading', { name: 'New monitor' }).waitFor()
    expect(await page.getByLabel('Query', { exact: true }).inputValue()).toBe('order')
    expect(faults).toEqual([])
    await context.close()
  })
})
