// A search that is live: what comes stands on top, each event once, whatever is changed meanwhile.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath } from '../support/browser/chromium.ts'
import { type ConsoleTest, openConsoleTest } from '../support/browser/console.ts'
import { SOON } from '../support/run/patience.ts'

/** More than a page of the search has. */
const MANY = 300

describe.skipIf(chromiumPath === undefined)('a live search (needs chromium)', () => {
  let test: ConsoleTest
  beforeAll(async () => {
    test = await openConsoleTest()
    await test.send([{ message: 'flood begins' }])
  })
  afterAll(() => test?.close())

  const messages = (page: Page) => page.locator('.events-place .event-message')
  const flood = (word: string) =>
    test.send(Array.from({ length: MANY }, (_, at) => ({ message: `flood ${word} ${at}` })))
  const top = (page: Page, message: string) =>
    expect.poll(() => messages(page).first().textContent(), SOON).toContain(message)
  /** One more stands right above what was on top. */
  const comesAbove = async (page: Page, message: string, before: string) => {
    await test.send([{ message }])
    await top(page, message)
    expect(await messages(page).nth(1).textContent()).toContain(before)
  }

  it('of another query nothing older comes on top', async () => {
    const { page, context } = await test.openSignedIn('/logeye/?live=1&query=flood')
    await messages(page).getByText('begins').waitFor()
    await flood('older')
    await flood('newer')
    await top(page, 'newer 299')
    await page.locator('#query .cm-content').click()
    await page.keyboard.press('End')
    await page.keyboard.type(' not level = ERROR')
    await page.keyboard.press('Enter')
    await page.getByText(`${2 * MANY + 1} events`, { exact: true }).waitFor()
    await comesAbove(page, 'flood goes on', 'newer 299')
    await context.close()
  })

  it('goes on where it was when it is live again', async () => {
    const { page, context } = await test.openSignedIn('/logeye/?live=1&query=stream')
    const live = page.getByRole('button', { name: 'Live', exact: true })
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    for (let at = 0; at < 8; at += 1)
      await test.send(Array.from({ length: MANY }, (_, n) => ({ message: `stream ${at} ${n}` })))
    await top(page, 'stream 7 299')
    await live.click()
    await page.getByRole('button', { name: 'Pause' }).waitFor({ state: 'detached' })
    await test.send([{ message: 'stream unseen' }])
    await live.click()
    await top(page, 'stream unseen')
    await comesAbove(page, 'stream ends', 'stream unseen')
    await context.close()
  })
})
