// The search page where there is little room, and where its address says what cannot be.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccessFaults } from '../support/browser/access-faults.ts'
import { NO_CHROMIUM } from '../support/browser/chromium.ts'
import { type ConsoleTest, openSharedConsole } from '../support/browser/console.ts'
import { describeUnless } from '../support/run/skip.ts'

const EVENTS = 12
const PHONE = { width: 390, height: 844, isTouch: true }
const LINK = '/logeye/search/view/loadSearchModel.jsp?searchQuery=parcel'

describeUnless(NO_CHROMIUM, 'the search page', () => {
  let test: ConsoleTest
  beforeAll(async () => {
    test = await openSharedConsole()
    await test.send(
      Array.from({ length: EVENTS }, (_, at) => ({
        ...{ message: `parcel ${at}`, service: 'shop' },
        ...(at === 7 ? { level: 'INFO' } : {}),
      })),
    )
  })
  afterAll(() => test?.close())

  /** Counted, and in view. */
  const found = async (page: Page) => {
    await page.getByText(`${EVENTS} events`, { exact: true }).waitFor()
    await page.locator('.events-place').first().waitFor()
  }

  it('asks whose session goes on where a link signs in as another user', async () => {
    const { page, context } = await test.openSignedIn('/logeye/?query=parcel')
    await found(page)
    const ann = { name: 'ann-of-links', password: 'a password of ann' }
    const made = await page.evaluate(
      `(async () => {
        const session = await (await fetch('/logeye/session')).json()
        const answer = await fetch('/logeye/sdk/securityUsers', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-csrf-token': session.response.csrfToken },
          body: JSON.stringify({ action: 'add', userName: '${ann.name}', userPassword: '${ann.password}' }),
        })
        return answer.status
      })()`,
    )
    expect(made).toBe(200)
    const credentials = new URLSearchParams({ username: ann.name, password: ann.password })
    const link = `${test.product.url}${LINK}&fixedInterval=last24Hours&autoLogin=true&${credentials}`
    const dialog = page.getByRole('dialog', { name: 'Sign in as another user?' })
    const account = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) })
    await page.goto(link)
    await dialog.getByText('You are signed in as admin. The link signs in as').waitFor()
    expect(page.url()).toBe(`${test.product.url}/logeye/?query=parcel&interval=last24Hours`)
    expect(await findAccessFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Stay signed in as admin' }).click()
    await dialog.waitFor({ state: 'detached' })
    await account('admin').waitFor()
    await page.goto(link)
    await dialog.getByRole('button', { name: `Sign in as ${ann.name}` }).click()
    await account(ann.name).waitFor()
    expect(page.url()).toBe(`${test.product.url}/logeye/?query=parcel&interval=last24Hours`)
    await context.close()
  })

  it('has two rows of what can be done on a phone, and the rest in a menu', async () => {
    const path = '/logeye/?query=parcel&interval=allData&by=service'
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
    await page.getByRole('textbox', { name: 'Query', exact: true }).getByText('parcel').waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it.each([
    ['fixedInterval=allData&startTimeFullStr=-2h&endTimeFullStr=-1h', 'An interval and times were'],
    ['fixedInterval=allData&startTimeFullStr=-2h', 'An interval and times were'],
    ['endTimeFullStr=-1h', 'An end was given without a start'],
    ['startTimeFullStr=2026-11-16T08:00:00Z', 'A start was given without an end'],
  ])(
    'says of a link with %s that nothing was searched, and lets one choose',
    async (times, text) => {
      const { page, context } = await test.openSignedIn(`${LINK}&${times}`)
      await page.getByText(text).waitFor()
      expect(await page.locator('.event-message').count()).toBe(0)
      await page.locator('#time').click()
      await page.getByRole('button', { name: 'All data' }).click()
      await found(page)
      expect(page.url()).toBe(`${test.product.url}/logeye/?query=parcel&interval=allData`)
      await context.close()
    },
  )

  it('asks a search without an answer again by a button beside what went wrong', async () => {
    const { page, context } = await test.openSignedIn('/logeye/?query=parcel')
    await found(page)
    const search = async (text: string) => {
      await page.locator('#query .cm-content').click()
      await page.keyboard.press('Control+A')
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
    }
    await page.route('**/api/search/events', (route) => route.abort('connectionreset'))
    await search('parcel 7')
    const fault = page.locator('.banner-error')
    const retry = fault.getByRole('button', { name: 'Try again' })
    await retry.waitFor()
    // What was found before stays, and is said to be of that search.
    await page.locator('.search-stale').getByText('parcel', { exact: true }).waitFor()
    expect(await page.locator('.stale .events-place').count()).toBe(EVENTS)
    await page.unroute('**/api/search/events')
    await retry.click()
    await page.getByText('1 event', { exact: true }).waitFor()
    await fault.waitFor({ state: 'detached' })
    expect(await page.locator('.stale, .search-stale').count()).toBe(0)
    // What is wrong with the query itself does not pass.
    await search('(parcel')
    await fault.waitFor()
    expect(await retry.count()).toBe(0)
    await context.close()
  })

  it('does not say that nothing was found where events are counted that cannot be read', async () => {
    const { page, context, faults } = await test.openSignedIn('/logeye/?query=nothing')
    await page.getByText('Nothing found').waitFor()
    await page.route('**/api/search/events', async (route) => {
      const response = await route.fetch()
      const told = await response.json()
      const none = { ...told.response, data: [], hasMore: false, nextCursor: null }
      await route.fulfill({ response, json: { ...told, response: none } })
    })
    await page.locator('#query .cm-content').click()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('parcel')
    await page.keyboard.press('Enter')
    await page.getByText(`${EVENTS} events are counted, but none can be read yet`).waitFor()
    expect(await page.getByText('Nothing found').count()).toBe(0)
    await page.unroute('**/api/search/events')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await found(page)
    expect(faults).toEqual([])
    await context.close()
  })

  it('says of each neighbour of the same host its log, and the level where there is one', async () => {
    const { page, context, faults } = await test.openSignedIn('/logeye/?query=parcel 7')
    await page.getByText('1 event', { exact: true }).waitFor()
    await page.locator('#events').focus()
    await page.keyboard.press('c')
    const lines = page.locator('.context-line')
    await lines.nth(EVENTS - 5).waitFor()
    const logs = await page.locator('.context-log').allTextContents()
    expect([logs.length, new Set(logs)]).toEqual([await lines.count(), new Set(['Default'])])
    expect(await page.locator('.context-own .context-level').textContent()).toBe('I')
    expect(faults).toEqual([])
    await context.close()
  })
})
