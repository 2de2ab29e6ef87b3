// What goes wrong while somebody works: each says what happened, and nothing typed is lost.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { NO_CHROMIUM } from '../support/browser/chromium.ts'
import { type ConsoleTest, openSharedConsole } from '../support/browser/console.ts'
import { SCRIPTS } from '../support/browser/scripts.ts'
import { openTab, untilAnswered } from '../support/browser/watch-requests.ts'
import { SOON } from '../support/run/patience.ts'
import { describeUnless } from '../support/run/skip.ts'

const EVENTS = 40
/** More than one page of them. */
const MANY = Array.from({ length: 400 }, (_, at) => ({ message: `plenty ${at}` }))

describeUnless(NO_CHROMIUM, 'pages when something fails', () => {
  let test: ConsoleTest
  beforeAll(async () => {
    test = await openSharedConsole()
    await test.send(
      Array.from({ length: EVENTS }, (_, at) => ({ message: `basket ${at}`, level: 'INFO' })),
    )
  })
  afterAll(() => test?.close())

  const query = (page: Page) => page.locator('#query .cm-content')
  const found = (page: Page) => page.getByText(`${EVENTS} events`, { exact: true }).waitFor()
  const signal = (role: string, name: NodeJS.Signals) => {
    for (const one of test.product.processes().filter((it) => it.role === role))
      process.kill(one.pid, name)
  }
  const scrollToEnd = (page: Page) =>
    page.locator('#events').evaluate((list) => list.scrollTo(0, list.scrollHeight))
  const typeQuery = async (page: Page, text: string) => {
    await query(page).click()
    await page.keyboard.press('Control+A')
    await page.keyboard.type(text)
  }

  it('a store that does not answer: the search is stopped by its button, and runs again', async () => {
    const { page, context, faults } = await test.openSignedIn('/logeye/?query=basket')
    await found(page)
    signal('store', 'SIGSTOP')
    try {
      await typeQuery(page, 'basket not level = WARN')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: /Stop$/ }).click()
      await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
      expect(await query(page).textContent()).toBe('basket not level = WARN')
    } finally {
      signal('store', 'SIGCONT')
    }
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await found(page)
    expect(faults).toEqual([])
    await context.close()
  })

  it('a store that is away: says so, and the same search works when it is back', async () => {
    const { page, context, faults } = await test.openSignedIn('/logeye/?query=basket')
    await found(page)
    signal('store', 'SIGKILL')
    await typeQuery(page, 'basket 1 or basket 2')
    await page.keyboard.press('Enter')
    await expect
      .poll(
        async () => {
          const run = page.getByRole('button', { name: 'Run', exact: true })
          const isFound = (await page.getByText('2 events', { exact: true }).count()) > 0
          if (!isFound && (await run.count()) > 0) await run.click()
          return isFound
        },
        { timeout: 240_000, interval: 500 },
      )
      .toBe(true)
    expect(await query(page).textContent()).toBe('basket 1 or basket 2')
    expect(faults).toEqual([])
    await context.close()
  })

  it('an answer that is cut: each part says it, the others stand', async () => {
    const { page, context } = await test.openSignedIn('/logeye/?query=basket')
    await found(page)
    await page.getByRole('region', { name: 'level' }).waitFor()
    await page.route('**/api/search/facets*', (route) => route.abort('connectionreset'))
    await typeQuery(page, 'basket not level = DEBUG')
    await page.keyboard.press('Enter')
    await page.waitForURL(/DEBUG/)
    await found(page)
    await page.locator('.facets-error').waitFor()
    await page.locator('.facets-stale').getByRole('region', { name: 'level' }).waitFor()
    await page.unroute('**/api/search/facets*')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.locator('.facets-error').waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'level' }).waitFor()
    expect(await page.locator('.facets-stale').count()).toBe(0)
    await context.close()
  })

  it('events that were counted a moment before they can be read: they are asked for again', async () => {
    const { page, context, faults } = await test.openSignedIn('/logeye/?query=nothing')
    await page.getByText('Nothing found').waitFor()
    const wrong = page.locator('.event-message').or(page.getByText('Nothing found'))
    const seen: number[] = []
    await page.route('**/api/search/events', async (route) => {
      if (!route.request().postData()?.includes('basket')) return await route.continue()
      if (seen.length === 0) await found(page)
      seen.push(await wrong.count())
      if (seen.length > 2) return await route.continue()
      const response = await route.fetch()
      const told = await response.json()
      const none = { ...told.response, data: [], hasMore: false, nextCursor: null }
      await route.fulfill({ response, json: { ...told, response: none } })
    })
    await typeQuery(page, 'basket')
    await page.keyboard.press('Enter')
    await found(page)
    // Behind the head.
    await page.locator('.event-message').nth(1).waitFor()
    expect(seen).toEqual([0, 0, 0])
    expect(faults).toEqual([])
    await context.close()
  })

  it('the next page of an old search does not take the place of a new one', async () => {
    await test.send(MANY)
    const { page, context } = await test.openSignedIn('/logeye/?query=plenty')
    await page.getByText(`${MANY.length} events`, { exact: true }).waitFor()
    await page.locator('.events-place').first().waitFor()
    let letGo = () => {}
    const isLetGo = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route('**/api/search/events', async (route) => {
      if (route.request().postData()?.includes('plenty 7') === true) await isLetGo
      await route.continue()
    })
    await typeQuery(page, '"plenty 7"')
    await page.keyboard.press('Enter')
    // The histogram is of the new search, the list still of the old.
    await page.getByText('1 event', { exact: true }).waitFor()
    await untilAnswered(page, '/search/events', () => scrollToEnd(page))
    letGo()
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
    await expect.poll(() => page.locator('#events').getAttribute('aria-rowcount'), SOON).toBe('1')
    await context.close()
  })

  it('a next page that fails leaves those before it in view, and is read again by a button', async () => {
    const { page, context } = await test.openSignedIn('/logeye/?query=plenty')
    const count = () => page.locator('#events').getAttribute('aria-rowcount')
    await expect.poll(count, SOON).toBe('250')
    await page.route('**/api/search/events', (route) => route.abort('connectionreset'))
    await scrollToEnd(page)
    await page.locator('.events-foot').getByText('The server does not answer.').waitFor()
    expect(await count()).toBe('250')
    await page.unroute('**/api/search/events')
    await page.locator('.events-foot').getByRole('button', { name: 'Read more' }).click()
    await expect.poll(count, SOON).toBe(String(MANY.length))
    await context.close()
  })

  it('events that could be read only after the first page: they are there at the end of the list', async () => {
    const { page, context, faults } = await test.openSignedIn('/logeye/?query=nothing')
    let isFirst = true
    await page.route('**/api/search/events', async (route) => {
      const isNext = route.request().postData()?.includes('"cursor"') === true
      if (!isNext || !isFirst) return await route.continue()
      isFirst = false
      const response = await route.fetch()
      const told = await response.json()
      const one = { ...told.response, data: told.response.data.slice(0, 1), nextCursor: null }
      await route.fulfill({ response, json: { ...told, response: { ...one, hasMore: false } } })
    })
    await typeQuery(page, 'plenty')
    await page.keyboard.press('Enter')
    const count = () => page.locator('#events').getAttribute('aria-rowcount')
    await expect.poll(count, SOON).toBe('250')
    await page.getByText(`${MANY.length} events`, { exact: true }).waitFor()
    await scrollToEnd(page)
    await expect.poll(count, SOON).toBe(String(MANY.length))
    expect(faults).toEqual([])
    await context.close()
  })

  it('an export that fails says so, and one without a session asks for sign-in and goes on', async () => {
    const { page, context } = await test.openSignedIn('/logeye/?query=basket')
    await found(page)
    const exportAs = async (name: string) => {
      await page.getByRole('button', { name: /^Export/ }).click()
      await page.getByRole('menuitem', { name, exact: true }).click()
    }
    await page.route('**/api/search/events', (route) => route.abort('connectionreset'))
    await exportAs('CSV')
    await page.locator('.toast').getByText('The server does not answer.').waitFor()
    await page.unroute('**/api/search/events')
    await context.clearCookies()
    const downloaded = page.waitForEvent('download')
    await exportAs('NDJSON')
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('Password').fill(test.product.secrets.password)
    await page.keyboard.press('Enter')
    const text = readFileSync(await (await downloaded).path(), 'utf8')
    expect(text.trim().split('\n')).toHaveLength(EVENTS)
    await context.close()
  })

  it('a tail that is cut says so, and goes on by itself without a gap', async () => {
    const { page, context } = await test.openSignedIn('/logeye/?live=1&query=tailed')
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await test.send([{ message: 'tailed one' }])
    await page.locator('.event-message').getByText('tailed').waitFor()
    signal('front', 'SIGKILL')
    await page.getByText('The stream was cut; it goes on by itself.').waitFor()
    await expect
      .poll(
        () =>
          fetch(`${test.product.url}/logeye/health/ready`).then(
            ({ ok }) => ok,
            () => false,
          ),
        { timeout: 240_000 },
      )
      .toBe(true)
    await test.send([{ message: 'tailed two' }])
    await page.locator('.events-place').nth(1).waitFor()
    expect(await page.locator('.events-place').count()).toBe(2)
    await context.close()
  })

  it('two tabs: who signs out in one is asked for sign-in in the other, which keeps what was typed', async () => {
    const { page, context } = await test.openSignedIn('/logeye/?query=basket')
    const other = await context.newPage()
    await other.goto(`${test.product.url}/logeye/`)
    await other.getByRole('button', { name: /^admin: / }).click()
    await typeQuery(page, 'basket 7')
    await other.getByRole('menuitem', { name: 'Sign out' }).click()
    await other.getByLabel('Password').waitFor()
    await page.bringToFront()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('Password').fill(test.product.secrets.password)
    await page.keyboard.press('Enter')
    await page.locator('.event-message').first().waitFor()
    expect(await query(page).textContent()).toBe('basket 7')
    await context.close()
  })

  it('two tabs: a new session in one is taken by the other, and one of somebody else is not', async () => {
    const password = 'a good password'
    const { page: other, context, faults } = await test.openSignedIn('/logeye/')
    const address = `${test.product.url}/logeye/manage/users?new=1`
    const [first, second] = [await openTab(context, address), await openTab(context, address)]
    for (const [page, name] of [
      [first, 'berta'],
      [second, 'carla'],
    ] as const) {
      await page.getByLabel('User name').fill(name)
      await page.getByLabel('User password').fill(password)
    }
    const signInAgain = async (from: string, user: string, secret: string) => {
      await other.getByRole('button', { name: new RegExp(`^${from}: `) }).click()
      await other.getByRole('menuitem', { name: 'Sign out' }).click()
      await other.getByLabel('User').fill(user)
      await other.getByLabel('Password').fill(secret)
      await other.keyboard.press('Enter')
      await other.getByRole('button', { name: new RegExp(`^${user}: `) }).waitFor()
    }
    const made = (page: Page, name: string) =>
      page.getByRole('link', { name, exact: true }).waitFor()
    await signInAgain('admin', 'admin', test.product.secrets.password)
    await first.getByLabel('User name').press('Enter')
    await made(first, 'berta')
    await signInAgain('admin', 'berta', password)
    await second.getByLabel('User name').press('Enter')
    const dialog = second.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('Password').fill(test.product.secrets.password)
    await second.keyboard.press('Enter')
    await made(second, 'carla')
    // What the other tab shows is berta's.
    await other.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await other.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('an address that leads nowhere says so', async () => {
    const { page, context, faults } = await test.openSignedIn('/logeye/')
    for (const path of ['manage/nowhere', 'dashboards/nowhere', 'manage/monitors?item=nowhere']) {
      await page.goto(`${test.product.url}/logeye/${path}`)
      await page.getByText(/^There is no such /).waitFor()
    }
    expect(faults).toEqual([])
    await context.close()
  })

  it('an old page after an upgrade asks to be loaded again, and is then the new one', async () => {
    const { page, context } = await test.openSignedIn('/logeye/?query=basket')
    await found(page)
    // The new version has other names of files.
    await page.route('**/assets/*dashboards-page*', (route) => route.fulfill({ status: 404 }))
    await page.getByRole('link', { name: 'Dashboards' }).click()
    await page.getByText('There is a newer version of this page.').waitFor()
    await page.unroute('**/assets/*dashboards-page*')
    await page.getByRole('button', { name: 'Load the page again' }).click()
    await page.getByRole('heading', { name: 'Dashboards', exact: true }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/logeye/dashboards')
    await context.close()
  })

  it('runs nothing that names, queries and dashboards hold, and shows all of it', async () => {
    await test.send(
      SCRIPTS.map((text) => ({
        ...{ message: `named ${text}`, productPath: `Evil ${text}`, productName: `log ${text}` },
        ...{ [`column ${text}`]: text, file: `/var/${text}` },
      })),
      'evil"><img src=x onerror=alert(1)>',
    )
    const { page, context, faults } = await test.openSignedIn('/logeye/?query=named')
    await page
      .locator('.event-message')
      .nth(SCRIPTS.length - 1)
      .waitFor()
    for (const text of SCRIPTS) {
      const row = page.locator('.events-place').filter({ hasText: `named ${text}` })
      expect(await row.count()).toBe(1)
      await row.getByText(`log ${text}`).waitFor()
    }
    const asked = `"${SCRIPTS[0]}" or "${SCRIPTS[3]}"`
    await page.goto(`${test.product.url}/logeye/?query=${encodeURIComponent(asked)}&tab=shapes`)
    expect(await query(page).textContent()).toBe(asked)
    const definition = {
      description: SCRIPTS[1],
      variables: [{ kind: 'list', name: 'a', label: SCRIPTS[0], choices: SCRIPTS }],
      widgets: ['table', 'eventList', 'column', 'pie', 'number', 'wordCloud', 'text'].map(
        (type, at) => ({
          ...{ id: `w${at}`, type, title: `${type} ${SCRIPTS[at % SCRIPTS.length]}` },
          query:
            type === 'text' ? '' : type === 'eventList' ? 'named' : 'named | count | group by log',
          text: type === 'text' ? SCRIPTS.join('\n') : undefined,
          place: { column: (at % 3) * 4, row: Math.floor(at / 3) * 5, width: 4, height: 5 },
        }),
      ),
    }
    const file = { name: `Evil ${SCRIPTS[1]}`, dashboards: [{ name: SCRIPTS[3], definition }] }
    await page.goto(`${test.product.url}/logeye/dashboards`)
    await page
      .getByLabel('Import a file')
      .first()
      .setInputFiles({
        name: 'evil<img src=x onerror=alert(1)>.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify(file)),
      })
    await page.getByRole('link', { name: SCRIPTS[3] ?? '' }).click()
    for (const { title } of definition.widgets)
      await page.getByRole('region', { name: title }).first().waitFor()
    await page.locator('[data-drawn=yes] canvas').nth(2).waitFor()
    await page.goto(`${test.product.url}/logeye/manage/tree`)
    await page.getByText(`Evil ${SCRIPTS[1]}`).first().waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('is in no frame of another page, and takes no session that somebody else has made up', async () => {
    const { page, context } = await test.open()
    await page.route('http://elsewhere.example/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<iframe src="${test.product.url}/logeye/"></iframe>`,
      }),
    )
    await page.goto('http://elsewhere.example/')
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/)
    const made = 'A'.repeat(43)
    await page.goto(`${test.product.url}/logeye/`)
    const before = (await context.cookies()).map(({ name }) => name)
    await context.addCookies(
      ['logeye_session', ...before].map((name) => ({ name, value: made, url: test.product.url })),
    )
    await page.goto(`${test.product.url}/logeye/`)
    await page.getByLabel('User').fill('admin')
    await page.getByLabel('Password').fill(test.product.secrets.password)
    await page.keyboard.press('Enter')
    await page.getByRole('navigation', { name: 'Pages' }).waitFor()
    const own = (await context.cookies()).filter(({ httpOnly }) => httpOnly)
    expect(own.length).toBeGreaterThan(0)
    expect(own.some(({ value }) => value === made)).toBe(false)
    await context.close()
  })
})
