// Dashboards as people use them: installed, looked at, narrowed, followed to the search, changed.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccessFaults } from '../support/browser/access-faults.ts'
import { NO_CHROMIUM } from '../support/browser/chromium.ts'
import { type ConsoleTest, openConsoleTest } from '../support/browser/console.ts'
import { describeUnless } from '../support/run/skip.ts'

/** The variable, as queries hold it. */
const CITY = '$' + '{city}'

/** A picture of one point. */
const DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const SHOP = {
  name: 'Shop',
  dashboards: [
    {
      name: 'Orders',
      definition: {
        variables: [{ kind: 'list', name: 'city', choices: ['Oslo', 'Rome'] }],
        widgets: [
          {
            id: 'cities',
            title: 'Orders by city',
            type: 'column',
            query: `order city = ${CITY} | count | group by city`,
            place: { column: 0, row: 0, width: 8, height: 6 },
          },
          {
            id: 'all',
            title: 'All orders',
            type: 'number',
            query: `order city = ${CITY} | count`,
            place: { column: 8, row: 0, width: 4, height: 6 },
          },
        ],
      },
    },
  ],
}

describeUnless(NO_CHROMIUM, 'the dashboards', () => {
  let test: ConsoleTest
  beforeAll(async () => {
    test = await openConsoleTest()
    await test.send(
      Array.from({ length: 12 }, (_, at) => ({
        message: `order ${at}`,
        city: at < 4 ? 'Oslo' : 'Rome',
      })),
    )
  })
  afterAll(() => test?.close())

  const widget = (page: Page, title: string) => page.getByRole('region', { name: title }).first()

  it('installs a ready-made app in one click, and opens it', async () => {
    const { page, context, faults } = await test.openSignedIn('/logeye/dashboards')
    await page.getByText('No dashboards yet').waitFor()
    await page.getByRole('button', { name: 'Install Linux' }).click()
    await page.getByRole('link', { name: 'Machines' }).click()
    await page.getByRole('link', { name: 'Download PDF' }).waitFor()
    await widget(page, 'Failed sign-ins').waitFor()
    expect(new URL(page.url()).pathname).toBe('/logeye/dashboards/Linux/Machines')
    expect(faults).toEqual([])
    await context.close()
  })

  it('draws, narrows by a variable in the address, and leads to the search', async () => {
    const { page, context, faults } = await test.openSignedIn('/logeye/dashboards')
    await page
      .getByLabel('Import a file')
      .first()
      .setInputFiles({
        name: 'shop.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify(SHOP)),
      })
    await page.getByRole('link', { name: 'Orders' }).click()
    await widget(page, 'All orders').getByText('12', { exact: true }).waitFor()
    await widget(page, 'Orders by city').locator('[data-drawn=yes] canvas').waitFor()
    await page.getByLabel('city', { exact: true }).selectOption('Oslo')
    await widget(page, 'All orders').getByText('4', { exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('var.city')).toBe('Oslo')
    await page.reload()
    await widget(page, 'All orders').getByText('4', { exact: true }).waitFor()
    const chart = widget(page, 'Orders by city')
    await chart.hover()
    await chart.getByRole('button', { name: 'Show as a table' }).click()
    await chart.getByRole('cell', { name: 'Oslo' }).waitFor()
    await widget(page, 'All orders').getByRole('link', { name: 'All orders' }).click()
    await page.locator('#query .cm-content').getByText('order city = "Oslo" | count').waitFor()
    await page.goBack()
    await widget(page, 'All orders').getByText('4', { exact: true }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('moves a widget by keys, adds one, and keeps both when somebody else has saved', async () => {
    const { page, context, faults } = await test.openSignedIn('/logeye/dashboards/Shop/Orders')
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('button', { name: /^All orders: move/ }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Shift+ArrowUp')
    await page.getByRole('button', { name: 'Add a widget' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Title').fill('Rome alone')
    await form.getByLabel('Query').fill('order city = Rome | count')
    await form.getByLabel('Shown as').selectOption('number')
    await form.getByRole('button', { name: 'Preview' }).click()
    await form.getByText('8', { exact: true }).waitFor()
    await form.getByRole('button', { name: 'Take over' }).click()

    const other = await test.openSignedIn('/logeye/dashboards/Shop/Orders?edit=1')
    await other.page.getByRole('button', { name: 'Save', exact: true }).click()
    await other.page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    await other.context.close()

    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Somebody else has changed it meanwhile').waitFor()
    await page.getByRole('button', { name: 'Save mine over it' }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    await page.reload()
    await widget(page, 'Rome alone').getByText('8', { exact: true }).waitFor()
    const style = await widget(page, 'All orders').getAttribute('style')
    expect(style).toContain('--row: 2')
    expect(style).toContain('--height: 5')
    expect(faults).toEqual([])
    await context.close()
  })

  it('gets a variable, thresholds and a place in the slide show by forms and keys', async () => {
    const { page, context, faults } = await test.openSignedIn(
      '/logeye/dashboards/Shop/Orders?edit=1',
    )
    await page.getByRole('button', { name: 'Settings', exact: true }).press('Enter')
    const form = page.getByRole('dialog')
    await form.getByLabel('Seconds in the slide show').fill('5')
    await form.getByRole('button', { name: 'Add a variable' }).press('Enter')
    const added = form.getByRole('group', { name: '{value2}' })
    await added.getByLabel('Name').fill('word')
    await form.getByRole('button', { name: 'Take over' }).press('Enter')
    await page.getByRole('button', { name: 'Change: All orders' }).press('Enter')
    await form.getByText('More', { exact: true }).press('Enter')
    await form.getByRole('button', { name: 'Add a threshold' }).press('Enter')
    await form.getByLabel('From', { exact: true }).fill('10')
    await form.getByLabel('Colour', { exact: true }).selectOption('critical')
    await form.getByRole('button', { name: 'Take over' }).press('Enter')
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
    await page.getByLabel('word', { exact: true }).waitFor()
    await page.goto(`${test.product.url}/logeye/dashboards/Shop?slides=1`)
    await page.getByText('1 of 1').waitFor()
    await widget(page, 'All orders').getByText('12', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL(/dashboards\/Shop$/)
    expect(faults).toEqual([])
    await context.close()
  })

  it('renews what is kept for the documents, which honour what is chosen', async () => {
    const { page, context, faults } = await test.openSignedIn('/logeye/dashboards/Shop/Orders')
    const counted = async () => {
      const link = page.getByRole('link', { name: 'CSV' })
      const href = await link.getAttribute('href')
      const answer = await page.request.get(`${test.product.url}${href}`)
      return await answer.text()
    }
    const refresh = page.getByRole('button', { name: 'Refresh' })
    await refresh.press('Enter')
    await page.getByText('made just now').waitFor()
    const before = await counted()
    await test.send([{ message: 'order 13', city: 'Oslo' }])
    expect(await counted()).toBe(before)
    await refresh.press('Enter')
    await widget(page, 'All orders').getByText('13', { exact: true }).waitFor()
    expect(await counted()).not.toBe(before)
    await page.getByLabel('city', { exact: true }).selectOption('Oslo')
    await widget(page, 'All orders').getByText('5', { exact: true }).waitFor()
    await expect
      .poll(() => page.getByRole('link', { name: 'CSV' }).getAttribute('href'))
      .toContain('var.city=Oslo')
    expect(faults).toEqual([])
    await context.close()
  })

  it('takes the chart of a search, and leads back to its logs', async () => {
    const { page, context, faults } = await test.openSignedIn(
      `/logeye/?${new URLSearchParams({ query: 'order | count | group by city', tab: 'chart' })}`,
    )
    await page.getByRole('button', { name: 'Add to dashboard' }).press('Enter')
    const form = page.getByRole('dialog')
    await form.getByLabel('Title').fill('From a search')
    await form.getByLabel('App', { exact: true }).selectOption('Shop')
    await form.getByLabel('Dashboard', { exact: true }).selectOption('Orders')
    await form.getByRole('button', { name: 'Add', exact: true }).press('Enter')
    await form.getByRole('link', { name: 'Open the dashboard' }).press('Enter')
    await widget(page, 'From a search').locator('[data-drawn=yes] canvas').waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it('has settings of its app in a form', async () => {
    const { page, context, faults } = await test.openSignedIn('/logeye/dashboards')
    await page.getByRole('button', { name: 'Acts on Shop' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Settings of the app' }).press('Enter')
    const form = page.getByRole('dialog')
    await form.getByLabel('Colour').selectOption('violet')
    await form.getByLabel('Image').setInputFiles({
      name: 'dot.png',
      mimeType: 'image/png',
      buffer: Buffer.from(DOT, 'base64'),
    })
    await form.locator('canvas').waitFor()
    await form.getByLabel('Logs').fill('folder.*')
    await form.getByRole('button', { name: 'Save' }).press('Enter')
    await page.locator('.board-colour-violet canvas').waitFor()
    await page.getByRole('link', { name: 'Orders' }).click()
    await widget(page, 'All orders').getByRole('link', { name: 'All orders' }).click()
    await page.locator('#query .cm-content').getByText('in folder.*').waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it.each(['light', 'dark'] as const)('has no serious fault of access in %s', async (scheme) => {
    const { page, context } = await test.openSignedIn('/logeye/dashboards/Shop/Orders', { scheme })
    await widget(page, 'All orders').getByText('13', { exact: true }).waitFor()
    expect(await findAccessFaults(page)).toEqual([])
    await context.close()
  })
})
