// A search that is live: what comes stands on top, each event once, whatever is changed meanwhile.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { NO_CHROMIUM } from '../support/browser/chromium.ts'
import { type ConsoleTest, openSharedConsole } from '../support/browser/console.ts'
import { SOON } from '../support/run/patience.ts'
import { describeUnless } from '../support/run/skip.ts'

/** More than a page of the search has. */
const MANY = 300

describeUnless(NO_CHROMIUM, 'a live search', () => {
  let test: ConsoleTest
  beforeAll(async () => {
    test = await openSharedConsole()
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

  /** As when another tab comes before it, and as when it is seen again. */
  const isSeen = (page: Page, state: 'hidden' | 'visible') =>
    page.evaluate(
      `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
       document.dispatchEvent(new Event('visibilitychange'))`,
    )
  /** Out of sight until its stream is given back. */
  const leave = async (page: Page) => {
    const left = page.waitForEvent('requestfailed', (it) => it.url().includes('/search/tail'))
    await isSeen(page, 'hidden')
    await left
  }

  /** An hour has passed. */
  const later = (page: Page) =>
    page.evaluate('const { now } = Date; Date.now = () => now() + 3_600_000; 0')

  it('gives its connection back out of sight, and goes on where it was', async () => {
    const { page, context } = await test.openSignedIn('/logeye/?live=1&query=seen')
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await test.send([{ message: 'seen before' }])
    await top(page, 'seen before')
    await leave(page)
    await test.send([{ message: 'seen not yet' }])
    await isSeen(page, 'visible')
    await top(page, 'seen not yet')
    expect(await messages(page).nth(1).textContent()).toContain('seen before')
    await comesAbove(page, 'seen again', 'seen not yet')
    await context.close()
  })

  it('opened out of sight it gives its connection back, too, until it is seen', async () => {
    const path = '/logeye/?live=1&query=behind'
    const { page, context } = await test.openSignedIn(path)
    await test.send([{ message: 'behind before' }])
    await top(page, 'behind before')
    const behind = await context.newPage()
    await behind.addInitScript(
      "Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })",
    )
    const left = behind.waitForEvent('requestfailed', (it) => it.url().includes('/search/tail'))
    await behind.goto(`${test.product.url}${path}`)
    await left
    await test.send([{ message: 'behind meanwhile' }])
    await isSeen(behind, 'visible')
    await top(behind, 'behind meanwhile')
    expect(await messages(behind).nth(1).textContent()).toContain('behind before')
    await context.close()
  })

  it('long out of sight it asks for the newest, and goes on behind them', async () => {
    const { page, context } = await test.openSignedIn('/logeye/?live=1&query=away')
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await test.send([{ message: 'away before' }])
    await top(page, 'away before')
    await leave(page)
    await test.send([{ message: 'away long' }])
    await later(page)
    const asked = page.waitForResponse((answer) => answer.url().includes('/api/search/histogram'))
    await isSeen(page, 'visible')
    await asked
    await top(page, 'away long')
    expect(await messages(page).nth(1).textContent()).toContain('away before')
    await comesAbove(page, 'away ends', 'away long')
    await context.close()
  })

  it('long out of sight and paused it keeps the list, and counts what came', async () => {
    const { page, context } = await test.openSignedIn('/logeye/?live=1&query=pause')
    await test.send([{ message: 'pause before' }])
    await top(page, 'pause before')
    await page.getByRole('button', { name: 'Pause' }).click()
    await leave(page)
    await test.send([{ message: 'pause meanwhile' }])
    await later(page)
    await isSeen(page, 'visible')
    await page.getByRole('button', { name: /1 new/ }).waitFor()
    expect(await messages(page).first().textContent()).toContain('pause before')
    await page.getByRole('button', { name: /1 new/ }).click()
    await top(page, 'pause meanwhile')
    await context.close()
  })

  it('long out of sight it waits for the server, and keeps the list until then', async () => {
    const { page, context } = await test.openSignedIn('/logeye/?live=1&query=night')
    await test.send([{ message: 'night before' }])
    await top(page, 'night before')
    await leave(page)
    await test.send([{ message: 'night long' }])
    await later(page)
    let isDown = true
    await page.route('**/api/search/**', (route) => (isDown ? route.abort() : route.continue()))
    const failed = page.waitForEvent('requestfailed')
    await isSeen(page, 'visible')
    await failed
    expect(await messages(page).first().textContent()).toContain('night before')
    isDown = false
    await top(page, 'night long')
    await comesAbove(page, 'night ends', 'night long')
    await context.close()
  })
})
