// Debian's Chromium. Suites without it are skipped.
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { missing } from '../run/missing.ts'
import { tellFailureOf } from './tell-failure.ts'

const PLACES = [process.env.LOGEYE_TEST_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser']

/** By hand: some calls, chosen at random, wait so many milliseconds. Answers come in another order
 *  then, and a test that relies on one order fails. */
const SLOW_MS = Number(process.env.LOGEYE_TEST_SLOW_CALLS_MS ?? 0)
const SLOW_SHARE = 0.3

const chromiumPath = PLACES.find((path) => path !== undefined && existsSync(path))
export const NO_CHROMIUM = missing(() => chromiumPath !== undefined, 'Chromium')

export type Seen = {
  readonly page: Page
  readonly context: BrowserContext
  /** What the browser has refused by the policy of the page, and errors of its scripts. */
  readonly faults: string[]
}

export type Opening = {
  readonly scheme?: 'light' | 'dark'
  readonly width?: number
  readonly height?: number
  /** A finger in place of a mouse. */
  readonly isTouch?: boolean
}

export type OpenedBrowser = {
  /** In a context of its own: nothing of other tests is kept there. */
  open(options?: Opening): Promise<Seen>
  close(): Promise<void>
}

/** Of all files of the worker; it ends with its process. */
let running: Promise<Browser> | undefined

/** `output` is what the product has printed, for the report of a failed test. */
export async function openBrowser(output?: () => string): Promise<OpenedBrowser> {
  running ??= chromium.launch({
    ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
    args: ['--no-sandbox'],
  })
  const browser = await running
  const contexts: BrowserContext[] = []
  const open: OpenedBrowser['open'] = async (options = {}) => {
    const { scheme = 'light', width = 1440, height = 900, isTouch = false } = options
    const viewport = { width, height }
    const context = await browser.newContext({
      ...{ viewport, colorScheme: scheme, hasTouch: isTouch, isMobile: isTouch },
    })
    contexts.push(context)
    context.setDefaultTimeout(60_000)
    if (SLOW_MS > 0) await slowCalls(context)
    const page = await context.newPage()
    tellFailureOf(page, output)
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(String(error)))
    page.on('dialog', (dialog) => {
      faults.push(`dialog ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) faults.push(message.text())
    })
    return { page, context, faults }
  }
  const close = async () => {
    for (const context of contexts) await context.close()
  }
  return { open, close }
}

async function slowCalls(context: BrowserContext): Promise<void> {
  await context.route('**/api/**', async (route) => {
    const afterMs = Math.random() < SLOW_SHARE ? SLOW_MS : 0
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    // The page may be gone meanwhile.
    await route.fallback().catch(() => undefined)
  })
}
