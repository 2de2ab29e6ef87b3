// The search console as people use it, over a product of its own.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccessFaults } from '../support/browser/access-faults.ts'
import { NO_CHROMIUM } from '../support/browser/chromium.ts'
import { type ConsoleTest, openConsoleTest } from '../support/browser/console.ts'
import { SCRIPTS } from '../support/browser/scripts.ts'
import { SOON } from '../support/run/patience.ts'
import { describeUnless } from '../support/run/skip.ts'

describeUnless(NO_CHROMIUM, 'the search console', () => {
  let test: ConsoleTest
  beforeAll(async () => {
    test = await openConsoleTest()
  })
  afterAll(() => test?.close())

  const rows = (page: Page) => page.locator('.events-place')
  const query = (page: Page) => page.locator('#query .cm-content')
  const found = async (page: Page, count: number) => {
    await page.getByText(`${count} events`, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
  }

  it('shows how to send the first event, and finds it when it comes', async () => {
    const { page, context, faults } = await test.openSignedIn('/logeye/')
    await page.getByText('Waiting for the first event').waitFor()
    const events = Array.from({ length: 30 }, (_, at) => ({
      message: `order ${at} ${at % 3 === 0 ? 'timeout of payments' : 'accepted'}`,
      level: at % 3 === 0 ? 'ERROR' : 'INFO',
      service: at % 2 === 0 ? 'cart' : 'payments',
    }))
    await test.send(events)
    await found(page, 30)
    await rows(page).nth(29).waitFor()
    expect(await rows(page).count()).toBe(30)
    expect(faults).toEqual([])
    await context.close()
  })

  it('narrows by a click, changes the query in sight, and goes back', async () => {
    const { page, context, faults } = await test.openSignedIn('/logeye/')
    await found(page, 30)
    await page.getByRole('region', { name: 'level' }).getByText('ERROR').click()
    await found(page, 10)
    expect(await query(page).textContent()).toBe('level = ERROR')
    await page
      .getByRole('region', { name: 'service' })
      .getByText('cart')
      .click({ modifiers: ['Alt'] })
    await found(page, 5)
    expect(await query(page).textContent()).toBe('level = ERROR not service = cart')
    await page.reload()
    await found(page, 5)
    await page.goBack()
    await found(page, 10)
    expect(await query(page).textContent()).toBe('level = ERROR')
    expect(faults).toEqual([])
    await context.close()
  })

  it('opens an event, and filters by the menu of a value', async () => {
    const { page, context } = await test.openSignedIn('/logeye/?query=timeout')
    await found(page, 10)
    expect(await page.locator('mark').first().textContent()).toBe('timeout')
    await page.locator('.event-message').nth(1).click()
    await page.getByRole('tab', { name: 'Original' }).click()
    await page.locator('.detail-text').getByText('"message":"order').waitFor()
    await page.getByRole('tab', { name: 'Context' }).click()
    await page.locator('.context-own').waitFor()
    await page.getByRole('tab', { name: 'Columns' }).click()
    await page.locator('.detail').getByRole('button', { name: 'More for service' }).click()
    await page.getByRole('menuitem', { name: 'Count by service' }).click()
    await page.getByRole('columnheader', { name: 'count' }).waitFor()
    expect(await query(page).textContent()).toBe(
      'timeout | count | group by service | order by count desc',
    )
    await page.getByRole('tab', { name: 'Chart' }).click()
    await page.locator('.result-bar').nth(1).waitFor()
    expect(await page.locator('.result-bar').count()).toBe(2)
    await context.close()
  })

  it('zooms by a drag over the histogram', async () => {
    const { page, context } = await test.openSignedIn('/logeye/')
    await found(page, 30)
    const box = await page.locator('.histogram-bars').boundingBox()
    if (box === null) throw new Error('the histogram is not there')
    await page.mouse.move(box.x + 10, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x + 200, box.y + 20, { steps: 4 })
    await page.mouse.up()
    await found(page, 0)
    expect(new URL(page.url()).searchParams.has('start')).toBe(true)
    await page.getByText('Nothing found').waitFor()
    await page.getByRole('button', { name: 'Look in: All data' }).click()
    await found(page, 30)
    await context.close()
  })

  it('says at its place what is wrong, and offers the way out', async () => {
    const { page, context, faults } = await test.openSignedIn(
      `/logeye/?query=${encodeURIComponent("level = 'ERROR'")}`,
    )
    await page.locator('#query .cm-lintRange-warning').first().waitFor()
    await page.getByRole('button', { name: 'Change to: level = "ERROR"' }).click()
    await found(page, 10)
    await page.goto(`${test.product.url}/logeye/?query=${encodeURIComponent('(timeout')}`)
    await page.locator('#query .cm-lintRange-error').first().waitFor()
    await page.getByRole('alert').getByText('query error').waitFor()
    await page.locator('#facets').waitFor({ state: 'detached' })
    expect(await page.getByText('query error').count()).toBe(1)
    expect(faults).toEqual([])
    await context.close()
  })

  it('has the facets behind a button where the page is narrow', async () => {
    const { page, context } = await test.openSignedIn('/logeye/?query=order')
    await page.setViewportSize({ width: 390, height: 800 })
    await found(page, 30)
    const value = page.getByRole('region', { name: 'level' }).getByText('ERROR')
    await page.locator('#facets').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Facets' }).click()
    await value.click()
    await found(page, 10)
    await page.locator('#facets').waitFor({ state: 'hidden' })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await context.close()
  })

  it('leads to the own account from the menu of the user', async () => {
    const { page, context } = await test.openSignedIn('/logeye/')
    await page.getByRole('button', { name: /^admin: / }).click()
    await page.getByRole('menuitem', { name: 'My account' }).click()
    await page.getByRole('heading', { name: 'My account' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/logeye/manage/own')
    await context.close()
  })

  it('saves a search by keys, finds it again, renames and deletes it', async () => {
    const { page, context, faults } = await test.openSignedIn('/logeye/?query=timeout&column=level')
    await found(page, 10)
    await page.keyboard.press('Escape')
    await page.keyboard.press('s')
    await page.getByRole('dialog', { name: 'Save the search' }).waitFor()
    await page.keyboard.type('Slow payments')
    await page.keyboard.press('Enter')
    await page.waitForURL(/saved=\d+/)
    await page.locator('.search-opened').getByText('Slow payments').waitFor()
    const saved = new URL(page.url()).searchParams.get('saved')
    await page.goto(`${test.product.url}/logeye/?saved=${saved}`)
    await found(page, 10)
    expect(await query(page).textContent()).toBe('timeout')
    await page.goto(`${test.product.url}/logeye/`)
    await found(page, 30)
    await page.keyboard.press('Escape')
    await page.keyboard.press('o')
    const dialog = page.getByRole('dialog', { name: 'Searches' })
    await dialog.waitFor()
    await page.keyboard.type('slow')
    await dialog.getByRole('button', { name: /^Slow payments/ }).press('Enter')
    await found(page, 10)
    await page.getByRole('columnheader', { name: 'level' }).nth(1).waitFor()
    await page.getByRole('button', { name: 'Searches' }).press('Enter')
    await dialog.getByRole('button', { name: /^Rename/ }).press('Enter')
    await page.getByRole('textbox', { name: 'Name' }).fill('Timeouts')
    await page.keyboard.press('Enter')
    await dialog.getByText('Timeouts', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: /^Delete/ }).press('Enter')
    await dialog.getByText('Timeouts is deleted.').waitFor()
    await dialog.getByRole('button', { name: 'Undo' }).press('Enter')
    await dialog.getByText('Timeouts', { exact: true }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('tells the shapes of all events, narrows to one and excludes one', async () => {
    const { page, context, faults } = await test.openSignedIn('/logeye/?query=order')
    await found(page, 30)
    await page.getByRole('tab', { name: 'Shapes' }).click()
    await page.getByText('30 events are 2 shapes').waitFor()
    await page.getByText('2 new since').waitFor()
    const timeouts = page.getByRole('button', { name: 'order <number> timeout of payments' })
    await timeouts.last().press('Enter')
    await page.getByText('30 events are 2 shapes').waitFor({ state: 'detached' })
    await found(page, 20)
    await page.goBack()
    await page.getByText('30 events are 2 shapes').waitFor()
    await timeouts.first().press('Enter')
    await found(page, 10)
    await rows(page).nth(9).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('compares with the time before, in the address', async () => {
    const { page, context } = await test.openSignedIn('/logeye/?query=order')
    await found(page, 30)
    await page.getByRole('button', { name: 'Compare ▾' }).press('Enter')
    await page.getByRole('menuitem', { name: 'With the time before' }).press('Enter')
    await page.getByText('none before').waitFor()
    await page.waitForURL(/compare=1/)
    await page.locator('.histogram-before').waitFor({ state: 'attached' })
    await page.goto(`${test.product.url}/logeye/?query=order&interval=allData&compare=1`)
    await page.getByText('There is no time before all data.').waitFor()
    expect(await page.locator('.histogram-before').count()).toBe(0)
    await context.close()
  })

  it('compares with the week before, in the address, the line and the saved search', async () => {
    const HOUR_MS = 3_600_000
    const weekAgoMs = Date.now() - 7 * 24 * HOUR_MS
    const at = (ms: number, count: number) =>
      Array.from({ length: count }, (_, number) => ({
        message: `weekly report ${number}`,
        timestamp: new Date(ms).toISOString(),
      }))
    // Neither lies in the hour before this one.
    await test.send([...at(weekAgoMs - HOUR_MS / 2, 4), ...at(Date.now() - HOUR_MS / 2, 6)])
    const { page, context, faults } = await test.openSignedIn('/logeye/?query=weekly')
    await found(page, 6)
    await page.getByRole('button', { name: 'Compare ▾' }).press('Enter')
    await page.getByRole('menuitem', { name: 'With the week before' }).press('Enter')
    await page.getByText('+50 % (4 a week before)').waitFor()
    await page.waitForURL(/compare=week/)
    await page.locator('.histogram-before').waitFor({ state: 'attached' })
    const told: string[] = []
    await page.locator('#histogram').focus()
    // The first key shows the newest bar.
    await page.keyboard.press('Home')
    await page.keyboard.press('Home')
    const bars = Number(await page.locator('#histogram').getAttribute('aria-valuemax'))
    for (let bar = 0; bar <= bars; bar += 1) {
      told.push((await page.locator('.histogram-told').textContent()) ?? '')
      await page.keyboard.press('ArrowRight')
    }
    // The line is where the bar of this week is, or one beside it.
    const line = told.findIndex((text) => text.includes('a week before: 4'))
    const bar = told.findIndex((text) => text.includes(': 6 events'))
    expect(line, told.join('\n')).toBeGreaterThan(-1)
    expect(Math.abs(line - bar), told.join('\n')).toBeLessThanOrEqual(1)
    await page.keyboard.press('Escape')
    await page.locator('#save').press('Enter')
    await page.getByRole('dialog').getByLabel('Name').fill('Weekly')
    await page.keyboard.press('Enter')
    await page.waitForURL(/saved=\d+/)
    const saved = new URL(page.url()).searchParams.get('saved')
    await page.goto(`${test.product.url}/logeye/?saved=${saved}`)
    await page.getByText('+50 % (4 a week before)').waitFor()
    await page.getByRole('button', { name: 'Compare: week before ▾' }).press('Enter')
    await page.getByRole('menuitem', { name: 'With nothing' }).press('Enter')
    await page.waitForURL((url) => !url.search.includes('compare'))
    await expect.poll(() => page.locator('.histogram-before').count()).toBe(0)
    expect(faults).toEqual([])
    await context.close()
  })

  it('folds equal lines, and shows each where it is asked', async () => {
    const same = { message: 'disk is full', level: 'ERROR' }
    await test.send([same, same, same, { ...same, level: 'WARN' }])
    const { page, context } = await test.openSignedIn('/logeye/?query=disk')
    await found(page, 4)
    await page.locator('.event-count').getByText('×3').waitFor()
    expect(await rows(page).count()).toBe(2)
    await page.locator('.event-count').click()
    await page.getByRole('button', { name: 'Show each' }).press('Enter')
    await rows(page).nth(3).waitFor()
    await page.goto(`${test.product.url}/logeye/?query=disk&fold=0`)
    await rows(page).nth(3).waitFor()
    expect(await page.locator('.event-count').count()).toBe(0)
    await context.close()
  })

  it('shows what another user can see', async () => {
    const { page, context, faults } = await test.openSignedIn('/logeye/manage/users?new=1')
    await page.getByLabel('User name').fill('anna')
    await page.getByLabel('User password').fill('a good password')
    await page.getByRole('button', { name: 'Create' }).press('Enter')
    await page.getByRole('link', { name: 'anna' }).press('Enter')
    await page.getByRole('link', { name: 'What can anna see?' }).press('Enter')
    await page.getByText('view and search, nothing else').waitFor()
    await page.getByRole('list', { name: 'What anna can see' }).getByText('Events').waitFor()
    expect(await findAccessFaults(page)).toEqual([])
    expect(faults).toEqual([])
    await context.close()
  })

  it('works by keys alone', async () => {
    const { page, context } = await test.openSignedIn('/logeye/')
    await page.locator('.event-message').first().waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.keyboard.type('timeout')
    await page.keyboard.press('Enter')
    await found(page, 10)
    // The events of before stay in view until those that were found are there.
    await rows(page).nth(10).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.locator('.detail').waitFor()
    await page.keyboard.press('x')
    await expect.poll(() => query(page).textContent(), SOON).toBe('timeout not level = ERROR')
    await page.waitForURL(/not/)
    await context.close()
  })

  it('runs nothing that events hold, and shows all of it', async () => {
    await test.send(
      SCRIPTS.map((text) => ({ message: `evil ${text}`, productName: text, [text]: text })),
      'evil',
    )
    const { page, context, faults } = await test.openSignedIn(
      '/logeye/?query=evil&interval=allData',
    )
    await found(page, SCRIPTS.length)
    for (const text of SCRIPTS) {
      const row = page.locator('.event-message').getByText(text)
      await row.waitFor()
      expect(await row.count()).toBe(1)
      await row.click()
      const shown = page.locator('.detail-value').getByText(text, { exact: true })
      await shown.first().waitFor()
      await row.first().click()
    }
    expect(faults).toEqual([])
    await context.close()
  })

  it('asks for sign-in over the page when the session has ended, and loses nothing', async () => {
    const { page, context } = await test.openSignedIn('/logeye/')
    await page.locator('.event-message').first().waitFor()
    await query(page).click()
    await page.keyboard.type('timeout')
    await page.keyboard.press('Escape')
    await context.clearCookies()
    // Not by the mouse: a completion that was still asked for may have brought the dialog already.
    await page.locator('.search-ask .button-main').dispatchEvent('click')
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('Password').fill(test.product.secrets.password)
    await page.keyboard.press('Enter')
    await found(page, 10)
    expect(await query(page).textContent()).toBe('timeout')
    await context.close()
  })

  it('opens by loadSearchModel.jsp, whose credentials leave the address', async () => {
    const { page, context } = await test.open()
    const { password } = test.product.secrets
    await page.goto(
      `${test.product.url}/logeye/search/view/loadSearchModel.jsp?searchQuery=timeout&fixedInterval=last24Hours&autoLogin=true&username=admin&password=${password}`,
    )
    await found(page, 10)
    expect(page.url()).toBe(`${test.product.url}/logeye/?query=timeout&interval=last24Hours`)
    await context.close()
  })

  it('asks for sign-in where a link holds a wrong password, and goes on to its search', async () => {
    const { page, context } = await test.open()
    const link = `${test.product.url}/logeye/search/view/loadSearchModel.jsp?searchQuery=timeout&fixedInterval=last24Hours&autoLogin=true&username=admin&password=wr0ng`
    expect((await page.goto(link))?.status()).toBe(401)
    await page.getByLabel('User').fill('admin')
    expect(page.url()).not.toContain('wr0ng')
    await page.getByLabel('Password').fill(test.product.secrets.password)
    await page.keyboard.press('Enter')
    await found(page, 10)
    expect(page.url()).toBe(`${test.product.url}/logeye/?query=timeout&interval=last24Hours`)
    await context.close()
  })

  it.each(['light', 'dark'] as const)('has no serious fault of access in %s', async (scheme) => {
    const { page, context } = await test.openSignedIn('/logeye/?query=order', { scheme })
    await found(page, 30)
    await page.locator('.event-message').first().click()
    await page.getByRole('region', { name: 'service' }).waitFor()
    expect(await findAccessFaults(page)).toEqual([])
    await context.close()
  })
})
