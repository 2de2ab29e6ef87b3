// axe-core over the pages of the console in both themes: one of each kind, or with
// LOGEYE_TEST_EVERY_PAGE=1 each. The workspace has its own in workspace.test.ts.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccessFaults } from '../support/browser/access-faults.ts'
import { NO_CHROMIUM, type Seen } from '../support/browser/chromium.ts'
import { type ConsoleTest, openSharedConsole } from '../support/browser/console.ts'
import { CONSOLE_PAGES } from '../support/browser/every-page.ts'
import { fillConsole } from '../support/browser/fill-console.ts'
import { describeUnless } from '../support/run/skip.ts'

/** Lists, forms and trees that are built alike are looked at once. */
const KINDS =
  /^(search-(open|context|shapes|chart|empty|time|saved)|parts|dashboards|dashboard-edit|manage-(tree|templates|own|health|audit|settings|template-new))$/
const PAGES = process.env.LOGEYE_TEST_EVERY_PAGE
  ? CONSOLE_PAGES
  : CONSOLE_PAGES.filter(({ name }) => KINDS.test(name))
const EVENTS = 1000
const QUIET_MS = 5000
const PHONE = { width: 390, height: 844 }
const FINGER_PX = 38
const TOUCHED = '.button, .tab, .manage-nav a, .bar-pages a, input.input, select.input'

describeUnless(NO_CHROMIUM, 'access for everybody', () => {
  let test: ConsoleTest
  let seen: Seen
  beforeAll(async () => {
    test = await openSharedConsole()
    await fillConsole(test, EVENTS)
    seen = await test.openSignedIn('/logeye/')
  })
  afterAll(() => test?.close())

  it.each(PAGES)('$name has no serious fault in light and dark', async (one) => {
    const { path, keys = [], from, shows } = one
    const { page } = seen
    await page.goto(`${test.product.url}${path}`)
    await page.getByRole('navigation').first().waitFor()
    await page.waitForLoadState('networkidle', { timeout: QUIET_MS }).catch(() => undefined)
    if (keys.length > 0) await page.keyboard.press('Escape')
    // A key that is pressed before its list is there does nothing.
    if (from !== undefined) await page.locator(from).first().waitFor()
    for (const key of keys) await page.keyboard.press(key)
    if (shows !== undefined) await page.locator(shows).first().waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      // What is still being read is pale, and a list may have no rows yet.
      await expect
        .poll(() => findAccessFaults(page), { timeout: 240_000, message: colorScheme })
        .toEqual([])
    }
  })

  const phone = ['search', 'manage-monitors', 'manage-monitor-new', 'manage-storage']
  it.each(CONSOLE_PAGES.filter(({ name }) => phone.includes(name)))(
    '$name in a hand: nothing is wider than the screen, and a finger hits what it means',
    async ({ path }) => {
      const cookies = await seen.context.cookies()
      const { page, context } = await test.open({ ...PHONE, isTouch: true })
      await context.addCookies(cookies)
      await page.goto(`${test.product.url}${path}`)
      await page.getByRole('navigation').first().waitFor()
      await page.waitForLoadState('networkidle', { timeout: QUIET_MS }).catch(() => undefined)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width)
      const low: unknown = await page.evaluate(`[...document.querySelectorAll('${TOUCHED}')]
        .filter((it) => it.offsetHeight > 0 && it.offsetHeight < ${FINGER_PX})
        .map((it) => it.outerHTML.slice(0, 120))`)
      expect(low).toEqual([])
      await context.close()
    },
  )
})
