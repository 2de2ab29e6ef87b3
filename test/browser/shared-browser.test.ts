// Several people at one browser, one after the other: nobody sees what the one before had.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { NO_CHROMIUM } from '../support/browser/chromium.ts'
import { type ConsoleTest, openSharedConsole } from '../support/browser/console.ts'
import { describeUnless } from '../support/run/skip.ts'

const CARLA = { user: 'carla', password: 'a good password' }

describeUnless(NO_CHROMIUM, 'a browser of several people', () => {
  let test: ConsoleTest
  beforeAll(async () => {
    test = await openSharedConsole()
    await test.send([{ message: 'the salary of the chief', level: 'WARN' }])
    const { page, context } = await test.openSignedIn('/logeye/manage/users?new=1')
    await page.getByLabel('User name').fill(CARLA.user)
    await page.getByLabel('User password').fill(CARLA.password)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: CARLA.user, exact: true }).waitFor()
    await context.close()
  })
  afterAll(() => test?.close())

  const signOut = async (page: Page) => {
    await page.getByRole('button', { name: /^admin: / }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
  }
  const signIn = async (page: Page, { user, password }: typeof CARLA) => {
    await page.getByLabel('User').fill(user)
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: new RegExp(`^${user}: `) }).waitFor()
  }

  it('shows none of the events that the one before has found', async () => {
    const { page, context, faults } = await test.openSignedIn('/logeye/?query=salary')
    await page.locator('.event-message').first().waitFor()
    await signOut(page)
    // Her searches are not answered yet.
    await page.route('**/api/search/**', () => undefined)
    await signIn(page, CARLA)
    await page.locator('#query').waitFor()
    expect(await page.getByText('the salary of the chief').count()).toBe(0)
    expect(await page.getByText('1 event', { exact: true }).count()).toBe(0)
    expect(faults).toEqual([])
    await context.close()
  })

  it('shows none of the searches that the one before has run, who finds them again', async () => {
    const { page, context } = await test.openSignedIn('/logeye/')
    const recent = () => page.getByRole('dialog').getByText('salary or bonus')
    await page.locator('#query .cm-content').click()
    await page.keyboard.type('salary or bonus')
    await page.keyboard.press('Enter')
    await page.waitForURL(/bonus/)
    await page.locator('#open').click()
    await recent().waitFor()
    await page.keyboard.press('Escape')
    await page.goto(`${test.product.url}/logeye/`)
    await signOut(page)
    await signIn(page, CARLA)
    await page.locator('#open').click()
    await page.getByRole('dialog').waitFor()
    expect(await recent().count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^carla: / }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await signIn(page, { user: 'admin', password: test.product.secrets.password })
    await page.locator('#open').click()
    await recent().waitFor()
    await context.close()
  })

  it('says that signing out has failed, and shows who is still signed in', async () => {
    const { page, context } = await test.openSignedIn('/logeye/?query=salary')
    await page.locator('.event-message').first().waitFor()
    await page.route('**/logeye/session', (route) => route.abort())
    await signOut(page)
    await page.getByText('The server does not answer').waitFor()
    expect(await page.getByRole('button', { name: /^admin: / }).isVisible()).toBe(true)
    await page.unroute('**/logeye/session')
    await signOut(page)
    await page.getByLabel('Password').waitFor()
    await page.reload()
    await page.getByLabel('Password').waitFor()
    await context.close()
  })

  it('a refusal that comes after the new sign-in asks for no other', async () => {
    const { page, context } = await test.openSignedIn('/logeye/?query=salary')
    await page.getByRole('region', { name: 'level' }).waitFor()
    await context.clearCookies()
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    await page.route(
      '**/api/search/histogram',
      async (route) => {
        const response = await route.fetch()
        await arrived
        await route.fulfill({ response })
      },
      { times: 1 },
    )
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('Password').fill(test.product.secrets.password)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    const counted = page.waitForResponse(
      (answer) => answer.url().endsWith('/histogram') && answer.ok(),
    )
    arrive()
    await counted
    expect(await dialog.count()).toBe(0)
    await context.close()
  })

  it('an answer that ends in its middle is none, and is asked for again', async () => {
    const { page, context } = await test.openSignedIn('/logeye/manage/users')
    await page.getByRole('link', { name: CARLA.user, exact: true }).waitFor()
    await page.route(
      '**/sdk/list',
      (route) =>
        route.fulfill({ contentType: 'application/json', body: '{"success":true,"respon' }),
      { times: 1 },
    )
    await page.reload()
    await page.getByText('The server does not answer').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: CARLA.user, exact: true }).waitFor()
    expect(await page.getByText('The server does not answer').count()).toBe(0)
    await context.close()
  })
})
