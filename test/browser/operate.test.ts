// What the vendor's staff does in the workspace, over the portal of `logeye portal demo`.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { findAccessFaults } from '../support/browser/access-faults.ts'
import { NO_CHROMIUM, type OpenedBrowser, openBrowser } from '../support/browser/chromium.ts'
import { type PortalProcess, startPortalProcess } from '../support/portal/portal-process.ts'
import { describeUnless } from '../support/run/skip.ts'

const OPERATOR = 'olivia@vendor.example'

describeUnless(NO_CHROMIUM, 'pages of the vendor', () => {
  let dataDir = ''
  let printed = ''
  let portal: PortalProcess
  let browser: OpenedBrowser
  let page: Page
  let faults: string[]
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-operate-'))
    portal = await startPortalProcess({
      dataDir,
      before: async (logeye) => {
        printed = await logeye('portal', 'demo')
      },
    })
    browser = await openBrowser()
    // Sign-ins of an account are limited: one is enough.
    const seen = await browser.open()
    page = seen.page
    faults = seen.faults
    await page.goto(`${portal.url}/portal/`)
    await page.getByLabel('E-mail').fill(OPERATOR)
    await page.getByLabel('Password', { exact: true }).fill(passwordOf(OPERATOR))
    await page.keyboard.press('Enter')
    await heading('Organizations')
  })
  afterAll(async () => {
    await browser?.close()
    await portal?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const passwordOf = (email: string) => new RegExp(`${email} +(\\S+)`).exec(printed)?.[1] ?? ''
  const heading = (name: string) =>
    page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const dialog = () => page.getByRole('dialog')
  const goTo = (name: string) =>
    page.getByRole('navigation').getByRole('link', { name, exact: true }).click()

  it('makes an organization, invites its administrator, and issues a key that reports', async () => {
    await button('New organization').click()
    await dialog().getByLabel('Name').fill('Mill & Sons')
    await dialog().getByLabel('Region').fill('eu')
    await dialog().getByRole('button', { name: 'New organization' }).click()
    await dialog().getByRole('alert').waitFor()
    await dialog().getByLabel('Region').fill('EU')
    await dialog().getByRole('button', { name: 'New organization' }).click()
    await heading('Mill & Sons')
    await button('Invite').click()
    await dialog().getByLabel('E-mail').fill('mia@mill.example')
    await dialog().getByLabel('Name').fill('Mia Miller')
    await dialog().getByLabel('Password').fill('a long enough word')
    await dialog().getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('cell', { name: 'Mia Miller' }).waitFor()
    await page.getByRole('cell', { name: 'Administrator' }).waitFor()
    const signedIn = await fetch(`${portal.url}/api/portal/v1/session`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ email: 'mia@mill.example', password: 'a long enough word' }),
    })
    expect(await signedIn.json()).toMatchObject({
      ...{ role: 'customer_admin', organization: { name: 'Mill & Sons' } },
    })
    await button('New licence').click()
    await dialog().getByLabel('Name of the plan').fill('Team 40')
    await dialog().getByLabel('GB a day').fill('40')
    await dialog().getByLabel('Valid until').fill('2035-12-31')
    await dialog().getByRole('button', { name: 'New licence' }).click()
    const key = (await page.locator('code.secret').textContent()) ?? ''
    expect(await report(key)).toBe(201)
    await button('I have kept it').click()
    await page.getByRole('cell', { name: 'Team 40' }).waitFor()
    await page.getByText('40 GB a day').waitFor()
    expect(await findAccessFaults(page)).toEqual([])
    await page.reload()
    await page.getByRole('link', { name: 'mill-production' }).waitFor()
    // The key is revoked, after it was asked.
    await button('⋯')
      .or(page.getByRole('button', { name: /^What can be done with/ }))
      .first()
      .click()
    await page.getByRole('menuitem', { name: /^Revoke the key/ }).click()
    await dialog().getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('none in force').waitFor()
    expect(await report(key)).toBe(403)
    expect(faults).toEqual([])
  })

  const report = async (key: string): Promise<number> => {
    const body = { fingerprint: 'mill-production-1', name: 'mill-production', version: '1.0.0' }
    const answer = await fetch(`${portal.url}/api/portal/v1/deployments/heartbeat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, layout: 'X8' }),
    })
    return answer.status
  }

  it('lists offers, deployments and licences of all, each with its customer', async () => {
    for (const [name, columns] of [
      ['Offers', ['Harbour Logistics', 'Lakeside Clinics']],
      ['Deployments', ['Harbour Logistics', 'Mill & Sons']],
      ['Licences', ['Harbour Logistics', 'Mill & Sons']],
    ] as const) {
      await goTo(name)
      await heading(name)
      for (const column of columns)
        await page.getByRole('cell', { name: column, exact: true }).first().waitFor()
      expect(await findAccessFaults(page), name).toEqual([])
    }
    await page.getByRole('link', { name: 'Harbour Logistics' }).first().click()
    await heading('Harbour Logistics')
    await page.getByRole('table').nth(3).waitFor()
    await goTo('Offers')
    await page
      .getByRole('row', { name: /Harbour Logistics/ })
      .first()
      .getByRole('link')
      .first()
      .click()
    await page.waitForURL(/\/offers\/ofr_.*for=org_/)
    await page.getByRole('button', { name: 'PDF' }).waitFor()
    expect(faults).toEqual([])
  })

  it('publishes a version of the price book, and says what is wrong with one before', async () => {
    await page.goto(`${portal.url}/portal/price-books`)
    await page
      .getByRole('row', { name: /In force/ })
      .getByRole('link')
      .click()
    await page.getByRole('heading', { name: 'Items' }).waitFor()
    await button('New version of it').click()
    const document = dialog().getByLabel('Document')
    const text = await document.inputValue()
    await document.fill(text.replace('{', ''))
    await button('Publish').click()
    await dialog().getByRole('alert').getByText('This is no JSON').waitFor()
    const book = z
      .looseObject({ version: z.string(), items: z.array(z.json()) })
      .parse(JSON.parse(text))
    await document.fill(JSON.stringify({ ...book, currencies: [] }))
    await button('Publish').click()
    await dialog().getByText('/currencies').waitFor()
    const next = { ...book, version: 'next.1', effectiveFrom: '2035-01-01', effectiveTo: null }
    await document.fill(JSON.stringify(next))
    await button('Publish').click()
    await dialog().getByText(`${book.items.length} items, in force from 1 Jan 2035 on.`).waitFor()
    await button('Publish').click()
    await page.getByRole('heading', { level: 1, name: /next\.1$/ }).waitFor()
    await page.getByText('Begins later').waitFor()
    await goTo('Price books')
    await page.getByRole('row', { name: /next\.1/ }).waitFor()
    expect(await findAccessFaults(page)).toEqual([])
    expect(faults).toEqual([])
  })

  it('keeps its pages within a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    for (const path of ['customers', 'licenses', 'price-books', 'offers', 'deployments']) {
      await page.goto(`${portal.url}/portal/${path}`)
      await page.locator('table').waitFor()
      const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
      expect(isWide, path).toBe(false)
    }
  })
})
