// The pages of operation that tell: the audit log, rejected events, the licence.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { NO_CHROMIUM } from '../support/browser/chromium.ts'
import { type ConsoleTest, openConsoleTest } from '../support/browser/console.ts'
import { makeAdmin } from '../support/browser/fill-console.ts'
import { describeUnless } from '../support/run/skip.ts'

describeUnless(NO_CHROMIUM, 'pages of operation', () => {
  let test: ConsoleTest
  beforeAll(async () => {
    test = await openConsoleTest()
    await test.send([{ message: 'order' }])
  })
  afterAll(() => test?.close())

  const run = (command: string, given: object = {}) =>
    makeAdmin(test.product)(`/logeye/sdk/${command}`, given)
  const row = (page: Page, name: RegExp) => page.getByRole('row', { name })

  it('tells of deeds with what they were done to, and of looks where they are asked for', async () => {
    await run('addListener', { name: 'Shelf' })
    await run('list', { type: 'template' })
    await run('settings', { list: 'true' })
    const { page, context, faults } = await test.openSignedIn('/logeye/manage/audit')
    // Copied within about two seconds.
    await expect
      .poll(async () => {
        await page.reload()
        await page.locator('table, .objects-none').first().waitFor()
        return await row(page, /Add listener Shelf done/).count()
      })
      .toBe(1)
    expect(await row(page, /admin (List|Settings|Search)\b/).count()).toBe(0)
    await page.getByLabel('Searches and looks, too').check()
    await row(page, /List template done/)
      .first()
      .waitFor()
    await row(page, /admin Settings/)
      .first()
      .waitFor()
    await page.waitForURL(/looks=1/)
    await page.reload()
    await row(page, /List template done/)
      .first()
      .waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('says in words why an event was not taken, and what a licence is made for', async () => {
    const { url, secrets } = test.product
    const asked = new URLSearchParams({ token: secrets.token, hostName: 'web-01' })
    await fetch(`${url}/logeye/api/logger.jsp?${asked}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '[{"message":"whole"},7]',
    })
    const { page, context, faults } = await test.openSignedIn('/logeye/manage/rejected')
    await expect
      .poll(async () => {
        await page.reload()
        await page.getByText(/No event was rejected|It is JSON, but no object\./).waitFor()
        return await row(page, /not_an_object/).count()
      })
      .toBe(1)
    await page.goto(`${url}/logeye/manage/license`)
    await page.getByText('No licence is installed.').waitFor()
    await page.getByText('A licence is made for this key').waitFor()
    expect(faults).toEqual([])
    await context.close()
  })
})
