// For the gate: what must work in a real browser, each once, on one product and one portal.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { NO_CHROMIUM } from '../support/browser/chromium.ts'
import { type ConsoleTest, openConsoleTest } from '../support/browser/console.ts'
import { makeAdmin } from '../support/browser/fill-console.ts'
import { type PortalProcess, startPortalProcess } from '../support/portal/portal-process.ts'
import { describeUnless } from '../support/run/skip.ts'

const EVENTS = 12
const CUSTOMER = 'ada@harbour.example'
const SHOP = {
  name: 'Shop',
  dashboards: [
    {
      name: 'Orders',
      definition: {
        widgets: [
          {
            ...{ id: 'all', title: 'All orders', type: 'number', query: 'order | count' },
            place: { column: 0, row: 0, width: 4, height: 6 },
          },
        ],
      },
    },
  ],
}

describeUnless(NO_CHROMIUM, 'in a browser', () => {
  let test: ConsoleTest
  let portal: PortalProcess
  let printed = ''
  const portalDir = mkdtempSync(join(tmpdir(), 'logeye-test-smoke-portal-'))

  beforeAll(async () => {
    ;[test, portal] = await Promise.all([
      openConsoleTest(),
      startPortalProcess({
        dataDir: portalDir,
        before: async (logeye) => {
          printed = await logeye('portal', 'demo')
        },
      }),
    ])
    await test.send(Array.from({ length: EVENTS }, (_, at) => ({ message: `order ${at}` })))
    await makeAdmin(test.product)('/logeye/api/apps/import', { file: SHOP })
  })
  afterAll(async () => {
    await test?.close()
    await portal?.stop()
    rmSync(portalDir, { recursive: true, force: true })
  })

  it('one signs in, searches, opens a dashboard and downloads its PDF', async () => {
    const { page, context, faults } = await test.openSignedIn('/logeye/')
    await page.locator('#query .cm-content').click()
    await page.keyboard.type('order not "order 3"')
    await page.keyboard.press('Enter')
    await page.getByText(`${EVENTS - 1} events`, { exact: true }).waitFor()
    await page.locator('.event-message').getByText('order 7').waitFor()
    await page.goto(`${test.product.url}/logeye/dashboards`)
    await page.getByRole('link', { name: 'Orders' }).click()
    const orders = page.getByRole('region', { name: 'All orders' }).first()
    await orders.getByText(`${EVENTS}`, { exact: true }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download PDF' }).click(),
    ])
    const pdf = readFileSync(await download.path(), 'latin1')
    expect(pdf.slice(0, 5)).toBe('%PDF-')
    expect(pdf).toMatch(/\/Type \/Page\b/)
    expect(faults).toEqual([])
    await context.close()
  })

  it('one signs in to the workspace of the portal', async () => {
    const { page, context, faults } = await test.open()
    await page.goto(`${portal.url}/portal/`)
    await page.getByLabel('E-mail').fill(CUSTOMER)
    const password = new RegExp(`${CUSTOMER} +(\\S+)`).exec(printed)?.[1] ?? ''
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Overview', exact: true, level: 1 }).waitFor()
    await page.getByText('Plan Team').waitFor()
    expect(faults).toEqual([])
    await context.close()
  })
})
