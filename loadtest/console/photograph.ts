// Pictures of every page in both themes, at three widths, and in four states, to be looked at.
//   npx tsx loadtest/console/photograph.ts <folder> [--only REGEXP] [--widths 1440,390]
//     [--schemes light] [--states full,empty,loading,failing]
// A picture is called <page>-<state>-<width>-<scheme>.png.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { type OpenedBrowser, openBrowser } from '../../test/support/browser/chromium.ts'
import { openConsoleTest } from '../../test/support/browser/console.ts'
import {
  CONSOLE_PAGES,
  type ListedPage,
  MANAGED_PAGES,
  VENDOR_PAGES,
  WORKSPACE_PAGES,
} from '../../test/support/browser/every-page.ts'
import { fillConsole } from '../../test/support/browser/fill-console.ts'
import { fillManage } from '../../test/support/browser/fill-manage.ts'
import { startPortalProcess } from '../../test/support/portal/portal-process.ts'

const EVENTS = 20_000
const QUIET_MS = 3000
const HELD_MS = 700
const HEIGHTS: Readonly<Record<string, number>> = { 1440: 900, 1024: 768, 390: 844 }
const STATES = ['full', 'empty', 'loading', 'failing']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    widths: { type: 'string', default: '1440,1024,390' },
    schemes: { type: 'string', default: 'light,dark' },
    states: { type: 'string', default: STATES.join(',') },
  },
})
const folder = positionals[0] ?? 'pictures'
mkdirSync(folder, { recursive: true })
const widths = values.widths.split(',')
const schemes = (['light', 'dark'] as const).filter((name) => values.schemes.includes(name))
const states = STATES.filter((name) => values.states.includes(name))
const wanted = new RegExp(values.only)

type World = {
  readonly url: string
  readonly pages: readonly ListedPage[]
  /** Calls of the pages, but for those of the session. */
  readonly isCall: (path: string) => boolean
  readonly cookies: Awaited<ReturnType<BrowserContext['cookies']>>
}

async function photograph(browser: OpenedBrowser, world: World, state: string): Promise<void> {
  for (const scheme of schemes)
    for (const width of widths) {
      const seen = await browser.open({
        scheme,
        width: Number(width),
        height: HEIGHTS[width] ?? 900,
      })
      await seen.context.addCookies(world.cookies)
      if (state === 'loading' || state === 'failing')
        await seen.context.route('**', (route) => disturb(route, world, state))
      for (const page of world.pages.filter(({ name }) => wanted.test(name))) {
        try {
          await show(seen.page, world.url, page, state)
          await seen.page.screenshot({
            path: join(folder, `${page.name}-${state}-${width}-${scheme}.png`),
          })
        } catch (error) {
          console.error(`${page.name} ${state} ${width} ${scheme}: ${String(error).slice(0, 200)}`)
        }
      }
      for (const fault of new Set(seen.faults)) console.error(`${scheme} ${width}: ${fault}`)
      await seen.context.close()
    }
}

async function show(at: Page, url: string, page: ListedPage, state: string): Promise<void> {
  const { path, keys = [], from, shows, click } = page
  const isWhole = state !== 'loading' && state !== 'failing'
  const settle = async () => {
    if (state === 'loading') await at.waitForTimeout(HELD_MS)
    else await at.waitForLoadState('networkidle', { timeout: QUIET_MS }).catch(() => undefined)
  }
  const isThere = async (selector: string | undefined) => {
    if (selector === undefined || !isWhole) return
    const first = at.locator(selector).first()
    await first.waitFor({ timeout: QUIET_MS }).catch(() => undefined)
  }
  await at.goto(`${url}${path}`)
  await settle()
  if (click !== undefined && isWhole) {
    await isThere(click)
    await at.locator(click).first().click({ timeout: QUIET_MS })
    await settle()
  }
  if (keys.length > 0) await at.keyboard.press('Escape')
  await isThere(from)
  for (const key of keys) {
    await at.keyboard.press(key)
    await settle()
  }
  await isThere(shows)
  // Charts draw once more when their box has its size.
  await at.waitForTimeout(150)
}

/** Holds a call for good, or fails it. */
async function disturb(route: Route, world: World, state: string): Promise<void> {
  const { pathname } = new URL(route.request().url())
  if (!world.isCall(pathname) || route.request().resourceType() === 'document')
    await route.continue()
  else if (state === 'failing')
    await route.fulfill({
      status: 500,
      contentType: 'application/json',
      body: JSON.stringify({ success: false, errorMessage: 'the store cannot be reached now' }),
    })
}

async function photographConsole(browser: OpenedBrowser): Promise<void> {
  const test = await openConsoleTest({
    environment: { LOGEYE_ROLES: 'listener,query,writer,scheduler,store,collector' },
  })
  const files = mkdtempSync(join(tmpdir(), 'logeye-pictures-'))
  try {
    const signed = await test.openSignedIn('/logeye/')
    const world: World = {
      url: test.product.url,
      pages: [...CONSOLE_PAGES, ...MANAGED_PAGES],
      isCall: (path) => /^\/logeye\/(api|restapi|sdk|view)/.test(path) && !path.includes('session'),
      cookies: await signed.context.cookies(),
    }
    await signed.context.close()
    if (states.includes('empty')) await photograph(browser, world, 'empty')
    await fillConsole(test, EVENTS)
    await fillManage(test, files)
    for (const state of states.filter((name) => name !== 'empty'))
      await photograph(browser, world, state)
  } finally {
    await test.close()
    rmSync(files, { recursive: true, force: true })
  }
}

async function photographWorkspace(browser: OpenedBrowser): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'logeye-pictures-'))
  let printed = ''
  const portal = await startPortalProcess({
    dataDir,
    before: async (logeye) => {
      printed = await logeye('portal', 'demo')
    },
  })
  try {
    for (const [email, prefix, pages] of [
      ['ada@harbour.example', 'portal-', WORKSPACE_PAGES],
      ['olivia@vendor.example', 'vendor-', VENDOR_PAGES],
    ] as const) {
      const signed = await browser.open()
      await signed.page.goto(`${portal.url}/portal/`)
      await signed.page.getByLabel('E-mail').fill(email)
      await signed.page
        .getByLabel('Password', { exact: true })
        .fill(new RegExp(`${email} +(\\S+)`).exec(printed)?.[1] ?? '')
      await signed.page.keyboard.press('Enter')
      await signed.page.getByRole('navigation').waitFor()
      const world: World = {
        url: portal.url,
        pages: pages.map((page) => ({ ...page, name: `${prefix}${page.name}` })),
        isCall: (path) => path.startsWith('/api/') && !path.includes('session'),
        cookies: await signed.context.cookies(),
      }
      await signed.context.close()
      for (const state of states.filter((name) => name !== 'empty'))
        await photograph(browser, world, state)
    }
  } finally {
    await portal.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const browser = await openBrowser()
try {
  if ([...CONSOLE_PAGES, ...MANAGED_PAGES].some(({ name }) => wanted.test(name)))
    await photographConsole(browser)
  if (/portal|vendor|^$/.test(values.only)) await photographWorkspace(browser)
} finally {
  await browser.close()
}
