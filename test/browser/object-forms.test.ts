// Forms of Manage: what they offer, and to whom.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath } from '../support/browser/chromium.ts'
import { type ConsoleTest, openConsoleTest } from '../support/browser/console.ts'
import { makeAdmin } from '../support/browser/fill-console.ts'
import { SOON } from '../support/run/patience.ts'

describe.skipIf(chromiumPath === undefined)('forms of Manage (needs chromium)', () => {
  let test: ConsoleTest
  beforeAll(async () => {
    test = await openConsoleTest()
    const run = (command: string, given: object) =>
      makeAdmin(test.product)(`/logeye/sdk/${command}`, given)
    await run('addFolder', { name: 'Shop' })
    await run('addFolder', { name: 'Orders', parentFolder: 'Shop' })
  })
  afterAll(() => test?.close())

  /** Whether the field offers it to who types. */
  const offers = async (page: Page, label: string, name: string) => {
    const list = await page.getByLabel(label, { exact: true }).getAttribute('list')
    return await page.locator(`datalist[id="${list}"] option[value="${name}"]`).count()
  }

  it('offer the names of what is there', async () => {
    const { page, context, faults } = await test.openSignedIn('/logeye/manage/listeners?new=1')
    await expect.poll(() => offers(page, 'Parent folder', 'Shop'), SOON).toBe(1)
    expect(await offers(page, 'Parent folder', 'Shop->Orders')).toBe(1)
    await page.getByLabel('Name', { exact: true }).fill('Tills')
    await page.getByLabel('Parent folder', { exact: true }).fill('Shop->Orders')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Tills').first().waitFor()
    const told = await makeAdmin(test.product)('/logeye/sdk/list', {
      ...{ type: 'listener', details: 'true' },
    })
    expect(JSON.stringify(told)).toMatch(/"Tills".*"parentFolder":"Shop->Orders"/)
    expect(faults).toEqual([])
    await context.close()
  })

  it('have fields as wide as what stands there', async () => {
    const { page, context } = await test.openSignedIn('/logeye/manage/collection?new=1')
    const width = async (label: string) =>
      (await page.getByLabel(label, { exact: true }).boundingBox())?.width ?? 0
    expect(await width('Storage days')).toBeLessThan((await width('Forward to')) / 3)
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await context.close()
  })
})
