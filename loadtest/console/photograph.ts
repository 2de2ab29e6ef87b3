// Pictures of every page in both themes, at three widths, and in four states, to be looked at.
//   npx tsx loadtest/console/photograph.ts <folder> [--only REGEXP] [--widths 1440,390]
//     [--schemes light] [--states full,empty,loading,failing] [--height 2400]
// A picture is called <page>-<state>-<width>-<scheme>.png. States are those of real products, full
// and empty; calls are held back or answered by a failure in the browser. What fails to be made is
// told, and the exit status is 1. A window of another height shows what is further down a page.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { type OpenedBrowser, openBrowser } from '../../test/support/browser/chromium.ts'
import {
  CONSOLE_PAGES,
  type ListedPage,
  MANAGED_PAGES,
  type PageState,
} from '../../test/support/browser/every-page.ts'
import { type World, walkConsole, walkPortal } from './worlds.ts'

const QUIET_MS = 3000
/** A dry run may take three quarters of it. */
const SHOWN_MS = 60_000
const HELD_MS = 700
const SETTLE_MS = 400
/** Held in a hand. */
const PHONE = 390
const HEIGHTS: Readonly<Record<string, number>> = { 1440: 900, 1024: 768, 390: 844 }
const STATES: readonly PageState[] = ['empty', 'full', 'loading', 'failing']
const UNAUTHENTICATED = 401

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    widths: { type: 'string', default: '1440,1024,390' },
    schemes: { type: 'string', default: 'light,dark' },
    states: { type: 'string', default: STATES.join(',') },
    height: { type: 'string' },
  },
})
const folder = positionals[0] ?? 'pictures'
mkdirSync(folder, { recursive: true })
const widths = values.widths.split(',')
const schemes = (['light', 'dark'] as const).filter((name) => values.schemes.includes(name))
const states = STATES.filter((name) => values.states.includes(name))
const wanted = new RegExp(values.only)

/** What the calls of a page meet. */
type Weather = { world: World; state: PageState; page: ListedPage; isOn: boolean }

async function photograph(browser: OpenedBrowser, world: World, state: PageState): Promise<void> {
  const pages = world.pages.filter(
    ({ name, states: own = STATES }) => wanted.test(name) && own.includes(state),
  )
  for (const width of widths)
    for (const page of pages) {
      const height = Number(values.height ?? HEIGHTS[width] ?? 900)
      const size = { width: Number(width), height }
      const isTouch = Number(width) <= PHONE
      const seen = await browser.open({ scheme: schemes[0] ?? 'light', isTouch, ...size })
      if (page.isSignedOut !== true) await seen.context.addCookies(world.cookies)
      const weather: Weather = { world, state, page, isOn: false }
      await seen.context.route('**', (route) => disturb(route, weather))
      try {
        await show(seen.page, weather)
        for (const scheme of schemes) await take(seen.page, `${page.name}-${state}`, width, scheme)
      } catch (error) {
        process.exitCode = 1
        console.error(`${page.name} ${state} ${width}: ${String(error).slice(0, 200)}`)
      }
      for (const fault of new Set(seen.faults)) {
        process.exitCode = 1
        console.error(`${page.name} ${state} ${width}: ${fault}`)
      }
      await close(seen.context)
    }
}

/** What is held back would be waited for. */
async function close(context: BrowserContext): Promise<void> {
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.close()
}

async function take(
  page: Page,
  name: string,
  width: string,
  scheme: 'light' | 'dark',
): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
  // Charts draw once more in the other colours.
  await page.waitForTimeout(SETTLE_MS)
  await page.screenshot({ path: join(folder, `${name}-${width}-${scheme}.png`) })
}

async function show(at: Page, weather: Weather): Promise<void> {
  const { world, state, page } = weather
  const { path, keys = [], from, shows, click, next, isAct } = page
  const isWhole = state === 'full' || state === 'empty'
  const settle = async () => {
    if (state === 'loading' && weather.isOn) await at.waitForTimeout(HELD_MS)
    else await at.waitForLoadState('networkidle', { timeout: QUIET_MS }).catch(() => undefined)
  }
  const isThere = async (selector: string | undefined) => {
    if (selector === undefined || !isWhole) return
    const first = at.locator(selector).first()
    await first.waitFor({ timeout: SHOWN_MS }).catch(() => undefined)
  }
  weather.isOn = !isWhole && click === undefined
  await at.goto(`${world.url}${path}`)
  await settle()
  if (click !== undefined) {
    const target = at.locator(click).first()
    await target.waitFor({ timeout: QUIET_MS })
    const link = isWhole ? null : await target.getAttribute('href')
    weather.isOn = !isWhole
    if (link !== null && isAct !== true) await at.goto(new URL(link, at.url()).href)
    else await target.click({ timeout: QUIET_MS })
    await settle()
  }
  if (next !== undefined) {
    await at.locator(next).first().click({ timeout: SHOWN_MS })
    await settle()
  }
  if (page.isSignedOut === true && state !== 'full') await signIn(at)
  if (!isWhole) return
  if (keys.length > 0) await at.keyboard.press('Escape')
  await isThere(from)
  for (const key of keys) {
    await at.keyboard.press(key)
    await settle()
  }
  await isThere(shows)
}

/** Whoever signs in meets the weather, too. */
async function signIn(at: Page): Promise<void> {
  const password = at.getByLabel('Password', { exact: true })
  if ((await password.count()) === 0) return
  await at.getByLabel(/^(User|E-mail)$/).fill('anna@example.com')
  await password.fill('a good password')
  await at.keyboard.press('Enter')
  await at.waitForTimeout(HELD_MS)
}

/** Holds a call for good, or fails it. */
async function disturb(route: Route, weather: Weather): Promise<void> {
  const { world, state, page, isOn } = weather
  const request = route.request()
  const { pathname } = new URL(request.url())
  const isOwn = page.isSignedOut === true && request.method() !== 'GET'
  const isMeant = world.isCall(pathname) || (isOwn && world.isSession(pathname))
  if (!isOn || !isMeant || request.resourceType() === 'document') await route.continue()
  else if (state === 'failing') {
    const { status = 500 } = page
    const code = status === UNAUTHENTICATED ? { code: 'unauthenticated' } : {}
    await route.fulfill({ status, json: { ...world.failure, ...code } })
  }
}

const browser = await openBrowser()
try {
  const take = (world: World, state: PageState) => photograph(browser, world, state)
  if ([...CONSOLE_PAGES, ...MANAGED_PAGES].some(({ name }) => wanted.test(name)))
    await walkConsole(states, take)
  if (/portal|vendor|^$/.test(values.only)) await walkPortal(browser, states, take)
} finally {
  await browser.close()
}
