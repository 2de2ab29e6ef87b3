// Sign-in by an OpenID Connect provider that others wrote, in a browser: at the first page, and
// when the session ends in mid-work.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { NO_CHROMIUM } from '../support/browser/chromium.ts'
import { type ConsoleTest, openConsoleTest } from '../support/browser/console.ts'
import { startOidcProvider } from '../support/network/oidc-provider.ts'
import { findFreePort } from '../support/product/product.ts'
import { describeUnless } from '../support/run/skip.ts'

const PROVIDER = 'Sign in with your organization'
const ENDED = 'Your session has ended'

describeUnless(NO_CHROMIUM, 'sign-in by a provider', () => {
  let test: ConsoleTest
  let provider: Awaited<ReturnType<typeof startOidcProvider>>
  beforeAll(async () => {
    const port = await findFreePort()
    const url = `http://127.0.0.1:${port}`
    const accounts = new Map([['s-anna', { preferred_username: 'anna', groups: ['admins'] }]])
    provider = await startOidcProvider(`${url}/logeye/session/oidc/callback`, accounts)
    test = await openConsoleTest({
      environment: {
        LOGEYE_PUBLIC_URL: url,
        LOGEYE_OIDC_ISSUER: provider.issuer,
        LOGEYE_OIDC_CLIENT_ID: 'logeye',
        LOGEYE_OIDC_CLIENT_SECRET: 'a secret of the client',
        LOGEYE_OIDC_GROUPS: 'admins=administrators',
      },
      port,
    })
    await test.send([{ message: 'order 7' }])
  })
  afterAll(async () => {
    await test?.close()
    await provider?.close()
  })

  it('leads to the console; when the session ends, a second tab signs in and nothing is lost', async () => {
    const { page, context, faults } = await test.open()
    await page.goto(`${test.product.url}/logeye/`)
    await page.getByRole('link', { name: PROVIDER }).click()
    await signInThere(page)
    const query = page.getByRole('textbox', { name: 'Query' })
    await query.click()
    await page.keyboard.type('order')
    await context.clearCookies()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: ENDED })
    const opened = context.waitForEvent('page')
    await dialog.getByRole('link', { name: PROVIDER }).click()
    const other = await opened
    await signInThere(other)
    await other.close()
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await dialog.waitFor({ state: 'detached' })
    await page.locator('.event-message').getByText('order 7').waitFor()
    expect(await query.textContent()).toBe('order')
    expect(faults).toEqual([])
    await context.close()
  })
})

/** At the provider; it may know the user still. */
async function signInThere(page: Page): Promise<void> {
  const pages = page.getByRole('navigation', { name: 'Pages' })
  const login = page.getByPlaceholder('Enter any login')
  await pages.or(login).waitFor()
  if (await login.isVisible()) {
    await login.fill('s-anna')
    await page.getByPlaceholder('and password').fill('any')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
  }
  await pages.waitFor()
}
