// What is photographed: a product and a portal with much in them, and each with nothing.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { z } from 'zod'
import type { OpenedBrowser } from '../../test/support/browser/chromium.ts'
import { openConsoleTest, type Past } from '../../test/support/browser/console.ts'
import {
  CONSOLE_PAGES,
  type ListedPage,
  MANAGED_PAGES,
  type PageState,
  VENDOR_PAGES,
  WORKSPACE_PAGES,
} from '../../test/support/browser/every-page.ts'
import { fillConsole, makeAdmin } from '../../test/support/browser/fill-console.ts'
import { fillManage } from '../../test/support/browser/fill-manage.ts'
import { fillPast, PAST_DAYS } from '../../test/support/browser/fill-past.ts'
import {
  operatorOf,
  type PortalProcess,
  startPortalProcess,
} from '../../test/support/portal/portal-process.ts'

const EVENTS = 20_000
const ROLES = { LOGEYE_ROLES: 'listener,query,writer,scheduler,store,collector' }
const DAY_MS = 86_400_000
const ARCHIVED_MS = 60_000
const PASSWORD = 'a long enough word'

export type World = {
  readonly url: string
  readonly pages: readonly ListedPage[]
  /** Calls of the pages, but for those of the session. */
  readonly isCall: (path: string) => boolean
  readonly isSession: (path: string) => boolean
  readonly cookies: Awaited<ReturnType<BrowserContext['cookies']>>
  /** Body of a call that fails. */
  readonly failure: object
}

type Take = (world: World, state: PageState) => Promise<void>

const made = z.object({ id: z.string() })
const hooked = z.object({ webhook: made })
const archived = z.object({
  response: z.object({ archives: z.array(z.object({ state: z.string() })) }),
})
const session = z.object({ token: z.string() })
const listed = z.object({ data: z.array(made).min(1) })

/** Its own empty product: what is filled keeps what it was told days ago. */
export async function walkConsole(states: readonly PageState[], take: Take): Promise<void> {
  const files = mkdtempSync(join(tmpdir(), 'logeye-pictures-'))
  const archive = join(files, 'archive')
  mkdirSync(archive)
  try {
    if (states.includes('empty')) {
      const test = await openConsoleTest({ environment: ROLES })
      try {
        await take(await consoleWorld(test), 'empty')
      } finally {
        await test.close()
      }
    }
    const further = states.filter((state) => state !== 'empty')
    if (further.length === 0) return
    const past = {
      days: PAST_DAYS,
      fill: (then: Past) => fillPast(then, archive),
    }
    const test = await openConsoleTest({ environment: ROLES, past })
    try {
      await fillConsole(test, EVENTS)
      await fillManage(test, files)
      const admin = makeAdmin(test.product)
      await untilArchived(admin)
      await admin('/logeye/sdk/thaw', { archive: '1' })
      const day = new Date(Date.now() - PAST_DAYS * DAY_MS).toISOString().slice(0, 10)
      await admin('/logeye/sdk/archive', { policy: 'Keep', day })
      const world = await consoleWorld(test)
      for (const state of further) await take(world, state)
    } finally {
      await test.close()
    }
  } finally {
    rmSync(files, { recursive: true, force: true })
  }
}

/** Retention looks at the days by itself, some time after the start. */
async function untilArchived(admin: ReturnType<typeof makeAdmin>): Promise<void> {
  const deadline = performance.now() + ARCHIVED_MS
  while (performance.now() < deadline) {
    const { archives } = archived.parse(await admin('/logeye/sdk/listArchives', {})).response
    if (archives.some(({ state }) => state === 'done')) return
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error('no day was archived')
}

async function consoleWorld(test: Awaited<ReturnType<typeof openConsoleTest>>): Promise<World> {
  const { context } = await test.openSignedIn('/logeye/')
  const cookies = await context.cookies()
  await context.close()
  return {
    url: test.product.url,
    pages: [...CONSOLE_PAGES, ...MANAGED_PAGES],
    isCall: (path) => !/^\/logeye\/assets\/|session/.test(path),
    isSession: (path) => path.startsWith('/logeye/') && path.includes('session'),
    cookies,
    failure: { success: false, errorMessage: 'the store cannot be reached now' },
  }
}

/** The customer's view and the vendor's, of the demo and of a portal that has begun today. */
export async function walkPortal(
  browser: OpenedBrowser,
  states: readonly PageState[],
  take: Take,
): Promise<void> {
  if (states.includes('empty'))
    await withPortal(['portal', 'init'], async (portal, printed) => {
      const call = callAs(portal, operatorOf(printed))
      const [vendor] = listed.parse(await call('/organizations?kind=vendor')).data
      const staff = { email: 'olivia@vendor.example', name: 'Olivia Operator', role: 'operator' }
      await call('/people', { ...staff, password: PASSWORD }, vendor?.id)
      await take(await openWorld(browser, portal, { ...VENDOR, password: PASSWORD }), 'empty')
      const { id } = made.parse(await call('/organizations', { name: 'Mill & Sons' }))
      const admin = { email: CUSTOMER.email, name: 'Ada Admin', role: 'customer_admin' }
      await call('/people', { ...admin, password: PASSWORD }, id)
      await take(await openWorld(browser, portal, { ...CUSTOMER, password: PASSWORD }), 'empty')
    })
  const further = states.filter((state) => state !== 'empty')
  if (further.length === 0) return
  await withPortal(['portal', 'demo'], async (portal, printed) => {
    await fillCustomer(portal, printed)
    for (const view of [CUSTOMER, VENDOR]) {
      const password = passwordOf(printed, view.email)
      const world = await openWorld(browser, portal, { ...view, password })
      for (const state of further) await take(world, state)
    }
  })
}

/** What the demo leaves out: keys, and a webhook whose address refuses its test. */
async function fillCustomer(portal: PortalProcess, printed: string): Promise<void> {
  const password = passwordOf(printed, CUSTOMER.email)
  const signIn = { email: CUSTOMER.email, password }
  const { token } = session.parse(await callAs(portal)('/session', signIn))
  const call = callAs(portal, token)
  for (const [name, scopes] of [
    ['Invoices', ['usage:read', 'license:read']],
    ['Fleet overview', ['deployments:read']],
  ])
    await call('/api-keys', { name, scopes })
  const hook = { url: 'https://hooks.example.com/logeye', events: ['offer.sent', 'credits.low'] }
  const told = hooked.parse(await call('/webhooks', { ...hook, description: 'Desk' }))
  await call(`/webhooks/${told.webhook.id}/test`, {})
}

function passwordOf(printed: string, email: string): string {
  return new RegExp(`${email} +(\\S+)`).exec(printed)?.[1] ?? ''
}

const CUSTOMER = { email: 'ada@harbour.example', prefix: 'portal-', pages: WORKSPACE_PAGES }
const VENDOR = { email: 'olivia@vendor.example', prefix: 'vendor-', pages: VENDOR_PAGES }

async function withPortal(
  words: readonly string[],
  work: (portal: PortalProcess, printed: string) => Promise<void>,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'logeye-pictures-'))
  let printed = ''
  const portal = await startPortalProcess({
    dataDir,
    before: async (logeye) => {
      printed = await logeye(...words)
    },
  })
  try {
    await work(portal, printed)
  } finally {
    await portal.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function callAs({ url }: PortalProcess, token?: string) {
  return async (path: string, body?: object, of?: string): Promise<unknown> => {
    const headers: Record<string, string> = {}
    if (token !== undefined) headers.authorization = `Bearer ${token}`
    if (of !== undefined) headers['x-organization-id'] = of
    if (body !== undefined) headers['content-type'] = 'application/json'
    const request = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(`${url}/api/portal/v1${path}`, { headers, ...request })
    const told: unknown = await answer.json()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${JSON.stringify(told)}`)
    return told
  }
}

type View = typeof CUSTOMER & { readonly password: string }

async function openWorld(
  browser: OpenedBrowser,
  portal: PortalProcess,
  { email, prefix, pages, password }: View,
): Promise<World> {
  const { page, context } = await browser.open()
  await page.goto(`${portal.url}/portal/`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('navigation').waitFor()
  const cookies = await context.cookies()
  await context.close()
  return {
    url: portal.url,
    pages: pages.map((one) => ({ ...one, name: `${prefix}${one.name}` })),
    isCall: (path) => path.startsWith('/api/') && !path.includes('session'),
    isSession: (path) => path.startsWith('/api/') && path.includes('session'),
    cookies,
    failure: { code: 'unavailable', message: 'the database cannot be reached now', errors: [] },
  }
}
