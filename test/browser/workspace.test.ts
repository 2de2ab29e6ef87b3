// The workspace of the portal as people use it, over the portal of `logeye portal demo`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccessFaults } from '../support/browser/access-faults.ts'
import { NO_CHROMIUM, type OpenedBrowser, openBrowser } from '../support/browser/chromium.ts'
import { openTab } from '../support/browser/watch-requests.ts'
import { callPortal } from '../support/portal/call-portal.ts'
import { type PortalProcess, startPortalProcess } from '../support/portal/portal-process.ts'
import { describeUnless } from '../support/run/skip.ts'

describeUnless(NO_CHROMIUM, 'the workspace', () => {
  let dataDir = ''
  let printed = ''
  let portal: PortalProcess
  let browser: OpenedBrowser
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-workspace-'))
    portal = await startPortalProcess({
      dataDir,
      before: async (logeye) => {
        printed = await logeye('portal', 'demo')
      },
    })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await portal?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const fillSignIn = async (page: Page, email: string) => {
    const password = new RegExp(`${email} +(\\S+)`).exec(printed)?.[1] ?? ''
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
  }
  /** Sign-ins of an account are limited: one of each is enough. */
  const sessions = new Map<string, Awaited<ReturnType<BrowserContext['cookies']>>>()
  const openAs = async (email: string, path = '/portal/', scheme?: 'light' | 'dark') => {
    const seen = await browser.open(scheme === undefined ? {} : { scheme })
    const cookies = sessions.get(email)
    if (cookies !== undefined) await seen.context.addCookies(cookies)
    await seen.page.goto(`${portal.url}${path}`)
    if (cookies === undefined) await fillSignIn(seen.page, email)
    await seen.page.getByRole('navigation').waitFor()
    sessions.set(email, await seen.context.cookies())
    return seen
  }
  const heading = (page: Page, name: string) =>
    page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()

  it('refuses a wrong password, and shows plan, use and forecast to the right one', async () => {
    const { page, context, faults } = await browser.open()
    await page.goto(`${portal.url}/`)
    await page.getByLabel('E-mail').fill('ada@harbour.example')
    await page.getByLabel('Password', { exact: true }).fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('E-mail, password or code is wrong.').waitFor()
    await fillSignIn(page, 'ada@harbour.example')
    await heading(page, 'Overview')
    expect(page.url()).toBe(`${portal.url}/portal/`)
    const told: unknown = await page.evaluate(
      "fetch('/api/portal/v1/license/status').then((answer) => answer.json())",
    )
    expect(told).toMatchObject({ plan: { name: 'Team' } })
    await page.getByText('Plan Team').waitFor()
    await page.locator('.chart-band').waitFor()
    // One way to write a day, also in a sentence of the API.
    const since = /Warehouse has not reported since \d+ \w{3} \d{4}, \d\d:\d\d UTC/
    await page.getByRole('alert').getByText(since).waitFor()
    expect(faults).toEqual([])
    await context.close()
    const served = await fetch(`${portal.url}/portal/offers`)
    expect(served.headers.get('content-security-policy')).toContain("default-src 'none'")
    const etag = served.headers.get('etag') ?? ''
    const again = await fetch(`${portal.url}/portal/`, { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
    expect((await fetch(`${portal.url}/portal/assets/none.js`)).status).toBe(404)
  })

  it('shows usage by day and source, and gives it as CSV', async () => {
    const { page, context, faults } = await openAs('vic@harbour.example', '/portal/usage?days=7')
    await page.getByRole('cell', { name: 'Hamburg production' }).waitFor()
    expect(await page.locator('.chart-box svg > g').count()).toBeGreaterThan(7)
    await page.getByLabel('Split by').selectOption('Nothing')
    await page.getByRole('cell', { name: 'All' }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ])
    const csv = readFileSync(await download.path(), 'utf8')
    expect(csv.split('\r\n')[0]).toBe('time,deployment_id,deployment,source,events,bytes')
    expect(csv).toContain('Hamburg production')
    // A viewer has nothing to change.
    await page.goto(`${portal.url}/portal/deployments`)
    await page.getByRole('link', { name: 'Hamburg production' }).click()
    await page.getByText('harbour-production-1').waitFor()
    expect(await page.getByRole('button', { name: 'Retire' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0)
    expect(faults).toEqual([])
    await context.close()
  })

  it('makes an offer of a quote, with a file, which the customer accepts', async () => {
    const { page, context, faults } = await openAs('sam@vendor.example')
    await page.getByRole('button', { name: 'Act for Harbour Logistics' }).click()
    await heading(page, 'Overview')
    await page.getByRole('link', { name: 'Offers' }).click()
    await page.getByRole('link', { name: 'New offer' }).click()
    await page.getByLabel('Title').fill('More volume')
    await page.getByLabel('Term').selectOption({ label: '12 months (10 % off)' })
    await page.getByLabel('Item', { exact: true }).selectOption('Log volume')
    const quantity = page.getByLabel('Quantity (GB a day)')
    await quantity.fill('0.5')
    await page.locator('.field-error').first().waitFor()
    await quantity.fill('40')
    // 25 at 27.50 and 15 at 21 for 12 months, less 10 percent.
    const due = page.locator('dd.totals-due').getByRole('button')
    await due.getByText('10,827.00 EUR').waitFor()
    await due.focus()
    await page.locator('.explained-why').getByText('10,827.00 EUR net').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.locator('.explained-why').count()).toBe(0)
    const change = page.getByLabel('What happens to the licence')
    await change.selectOption('No licence: a service, or credits alone')
    expect(await page.getByLabel('Plan', { exact: true }).count()).toBe(0)
    await change.selectOption('Replace "Log service of the harbour"')
    await page.getByLabel('Plan', { exact: true }).fill('Team 40')
    await page.getByLabel('GB a day', { exact: true }).fill('40')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await heading(page, 'More volume')
    await page.getByLabel('Upload a file').setInputFiles({
      ...{ name: 'terms.txt', mimeType: 'text/plain', buffer: Buffer.from('Terms of delivery') },
    })
    await page.getByRole('cell', { name: 'terms.txt' }).waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ])
    expect(readFileSync(await file.path(), 'utf8')).toBe('Terms of delivery')
    const [pdf] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'PDF' }).click(),
    ])
    expect(
      readFileSync(await pdf.path())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
    await page.locator('.pill').getByText('Sent').waitFor()
    expect(faults).toEqual([])
    const link = new URL(page.url()).pathname
    await context.close()

    const customer = await openAs('ada@harbour.example', link)
    await customer.page.getByRole('cell', { name: 'terms.txt' }).waitFor()
    await customer.page.getByRole('button', { name: 'Accept' }).click()
    const dialog = customer.page.getByRole('dialog')
    await dialog.getByText('Replaces the licence "Log service of the harbour"').waitFor()
    await dialog.getByRole('button', { name: 'Accept' }).click()
    await customer.page.locator('.pill').getByText('Accepted').waitFor()
    expect(customer.faults).toEqual([])
    await customer.context.close()
  })

  it('asks whoever acts for the vendor for whom an offer is', async () => {
    const { page, context, faults } = await openAs('sam@vendor.example', '/portal/offers')
    await page.getByRole('link', { name: 'New offer' }).click()
    await heading(page, 'New offer')
    await page.getByRole('link', { name: 'Lakeside Clinics' }).waitFor()
    // Neither the vendor nor a channel buys.
    expect(await page.locator('tbody tr').count()).toBe(2)
    expect(await findAccessFaults(page)).toEqual([])
    const acting = page.getByText('You act for the customer', { exact: true })
    expect(await acting.count()).toBe(0)
    await page.getByRole('link', { name: 'Lakeside Clinics' }).click()
    await heading(page, 'New offer for Lakeside Clinics')
    await acting.waitFor()
    await page.getByLabel('Item', { exact: true }).selectOption('Log volume')
    const due = await page.locator('dd.totals-due').getByText(/USD$/).textContent()
    // In sight, however far down the sum stands.
    const seen = page.locator('.builder-due')
    expect(await seen.textContent()).toBe(due)
    expect((await seen.boundingBox())?.y).toBeLessThan(page.viewportSize()?.height ?? 0)
    expect(faults).toEqual([])
    await context.close()
  })

  it('orders a list by a click on a head, which the address keeps', async () => {
    const { page, context, faults } = await openAs('sam@vendor.example', '/portal/offers')
    const table = page.getByRole('table')
    /** Of each currency by itself, in the order of the rows. */
    const dues = async () => {
      const texts = await table.locator('tbody tr td:nth-child(5)').allTextContents()
      const amounts = (currency: string) =>
        texts
          .filter((text) => text.endsWith(currency))
          .map((text) => Number(text.replaceAll(/[^\d.]/g, '')))
      const currencies = texts.map((text) => text.slice(-3))
      expect(currencies).toEqual(currencies.toSorted())
      return [...new Set(currencies)].map(amounts)
    }
    const due = table.getByRole('columnheader', { name: 'Due' })
    await due.getByRole('button').click()
    await expect.poll(() => due.getAttribute('aria-sort')).toBe('descending')
    const down = (await dues()).map((of) => of.toSorted((one, other) => other - one))
    expect(new Set(down.flat()).size).toBeGreaterThan(1)
    expect(await dues()).toEqual(down)
    expect(new URL(page.url()).searchParams.get('sort')).toBe('-due')
    // By keys, and the same again behind a reload.
    await due.getByRole('button').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => due.getAttribute('aria-sort')).toBe('ascending')
    await page.reload()
    await expect.poll(dues).toEqual(down.map((of) => of.toReversed()))
    expect(await findAccessFaults(page)).toEqual([])
    // In a hand the heads stand above the rows.
    await page.setViewportSize({ width: 390, height: 844 })
    await due.getByRole('button').click()
    await expect.poll(() => due.getAttribute('aria-sort')).toBe('none')
    expect(await findAccessFaults(page)).toEqual([])
    expect(faults).toEqual([])
    await context.close()
  })

  it('orders no list of which there is more, and says so', async () => {
    const { page, context, faults } = await openAs(
      'ada@harbour.example',
      '/portal/credits?sort=amount',
    )
    const movements = page.getByRole('table').last()
    const more = page.getByRole('button', { name: 'Show more' })
    await page.getByText('50 shown, the newest first.').waitFor()
    expect(await movements.getByRole('columnheader').getByRole('button').count()).toBe(0)
    const first = await movements.locator('tbody tr').first().textContent()
    for (let pages = 0; pages < 20 && (await more.count()) > 0; pages += 1) {
      const shown = await movements.locator('tbody tr').count()
      await more.click()
      await expect.poll(() => movements.locator('tbody tr').count()).toBeGreaterThan(shown)
    }
    const amount = movements.getByRole('columnheader', { name: 'Amount' })
    await expect.poll(() => amount.getAttribute('aria-sort')).toBe('ascending')
    expect(await movements.locator('tbody tr').first().textContent()).not.toBe(first)
    expect(faults).toEqual([])
    await context.close()
  })

  it('makes an API key that works, shows it once, and revokes it', async () => {
    const { page, context, faults } = await openAs('ada@harbour.example', '/portal/api-keys')
    await page.getByRole('button', { name: 'Make a key' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Billing export')
    await dialog.getByLabel('usage:read').check()
    await dialog.getByRole('button', { name: 'Make a key' }).click()
    await page.getByRole('dialog', { name: 'The new key' }).waitFor()
    const key = (await page.locator('code.secret').textContent()) ?? ''
    const read = () =>
      fetch(`${portal.url}/api/portal/v1/usage?limit=1`, {
        headers: { authorization: `Bearer ${key}` },
      })
    expect((await read()).status).toBe(200)
    await page.getByRole('button', { name: 'I have kept it' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Billing export' })
    await row.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await row.waitFor({ state: 'detached' })
    expect((await read()).status).toBe(401)
    await page.goto(`${portal.url}/portal/audit`)
    const entry = page.getByRole('row').filter({ hasText: 'revokeApiKey' }).first()
    await entry.getByRole('cell', { name: /^Ada Admin/ }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('asks for sign-in over the page when the session has ended, and loses nothing', async () => {
    const { page, context } = await openAs('ada@harbour.example', '/portal/webhooks')
    await page.getByRole('button', { name: 'Add a webhook' }).first().click()
    const form = page.getByRole('dialog', { name: 'Add a webhook' })
    await form.getByLabel('Address').fill('https://hooks.example/logeye')
    await form.getByLabel('offer.sent').check()
    await context.clearCookies()
    await form.getByRole('button', { name: 'Add a webhook' }).click()
    const ended = page.getByRole('dialog', { name: 'Your session has ended' })
    await ended.waitFor()
    expect(await form.getByLabel('Address').inputValue()).toBe('https://hooks.example/logeye')
    await fillSignIn(page, 'ada@harbour.example')
    await page.getByRole('dialog', { name: 'Secret of the webhook' }).waitFor()
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByRole('link', { name: 'https://hooks.example/logeye' }).waitFor()
    await context.close()
  })

  it('a link of a mail is taken from a browser where somebody has signed in', async () => {
    const { page, context } = await openAs('ada@harbour.example')
    await page.goto(`${portal.url}/portal/password#lnk_none`)
    await page.getByLabel('New password').fill('a word for Ada')
    await page.keyboard.press('Enter')
    expect(await page.getByRole('alert').textContent()).toMatch(/link was used/)
    await context.close()
  })

  it('two tabs: a new session in one is taken by the other, and one of somebody else is not', async () => {
    const { page: other, context } = await openAs('ada@harbour.example')
    const typed = async (tab: Page, name: string) => {
      await tab.getByRole('button', { name: 'Make a key' }).first().click()
      const dialog = tab.getByRole('dialog')
      await dialog.getByLabel('Name').fill(name)
      await dialog.getByLabel('usage:read').check()
      return dialog.getByRole('button', { name: 'Make a key' })
    }
    const address = `${portal.url}/portal/api-keys`
    const [page, second] = [await openTab(context, address), await openTab(context, address)]
    const [first, last] = [await typed(page, 'Of tab one'), await typed(second, 'Of tab two')]
    const signInAgain = async (email: string) => {
      await other.getByRole('button', { name: /account|sign out/i }).click()
      await other.getByRole('menuitem', { name: 'Sign out' }).click()
      await other.getByLabel('E-mail').waitFor()
      await fillSignIn(other, email)
      await other.getByRole('navigation').waitFor()
    }
    await signInAgain('ada@harbour.example')
    await first.click()
    await page.getByRole('dialog', { name: 'The new key' }).waitFor()
    expect(await page.locator('code.secret').textContent()).toMatch(/^key_/)
    await signInAgain('vic@harbour.example')
    await last.click()
    await second.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
    await fillSignIn(second, 'ada@harbour.example')
    await second.getByRole('dialog', { name: 'The new key' }).waitFor()
    // What the other tab shows is of somebody else now.
    await other.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await other.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
    sessions.set('ada@harbour.example', await context.cookies())
    await context.close()
  })

  it('says who made a key, and offers to revoke it when that person is removed', async () => {
    const { page, context, faults } = await openAs('ada@harbour.example', '/portal/people')
    const [email, password] = ['kim@harbour.example', 'a password of Kim']
    const ada = /ada@harbour\.example +(\S+)/.exec(printed)?.[1]
    const signIn = { email: 'ada@harbour.example', password: ada }
    const { token } = await callPortal(portal.url, { path: '/session', body: signIn })
    const person = { email, password, name: 'Kim', role: 'customer_admin' }
    await callPortal(portal.url, { path: '/people', as: token, body: person })
    const kim = await callPortal(portal.url, { path: '/session', body: { email, password } })
    const key = { name: 'Of Kim', scopes: ['usage:read'] }
    await callPortal(portal.url, { path: '/api-keys', as: kim.token, body: key })
    await page.goto(`${portal.url}/portal/api-keys?all=1`)
    const listed = page.getByRole('row', { name: /Of Kim/ })
    await listed.getByRole('cell', { name: 'Kim', exact: true }).waitFor()
    await page.goto(`${portal.url}/portal/people`)
    await page.getByRole('row', { name: /kim@/ }).getByRole('button', { name: 'Remove' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove Kim?' })
    await dialog.getByText('They made 1 API key that would stay in force.').waitFor()
    expect(await dialog.getByRole('checkbox').isChecked()).toBe(true)
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.goto(`${portal.url}/portal/api-keys?all=1`)
    await listed.getByText('Has left').waitFor()
    await listed.getByText(/Revoked/).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it.each(['light', 'dark'] as const)('has no serious fault of access in %s', async (scheme) => {
    const { page, context } = await openAs('ada@harbour.example', '/portal/', scheme)
    await page.locator('.chart-band').waitFor()
    expect(await findAccessFaults(page)).toEqual([])
    for (const name of ['Usage', 'Credits', 'Offers', 'People', 'Webhooks']) {
      await page.getByRole('link', { name, exact: true }).first().click()
      await heading(page, name)
      await page.getByRole('table').or(page.locator('.empty')).first().waitFor()
      expect(await findAccessFaults(page)).toEqual([])
    }
    await context.close()
  })
})
