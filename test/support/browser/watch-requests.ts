import type { BrowserContext, Page, Request } from 'playwright-core'
import { waitUntil } from '../run/wait-until.ts'

const QUIET_MS = 300
const LIMIT_MS = 5000

/** A stream of a live search does not end. */
const isStream = (request: Request) => request.url().includes('/search/tail')

/** The function that comes back ends when the page has had all answers and asks nothing more, or
 *  after 5 s, since some pages ask again and again. `networkidle` of the browser is once and for
 *  all: of what a click asks it knows nothing. */
export function watchRequests(page: Page): () => Promise<void> {
  const open = new Set<Request>()
  let changedMs = Date.now()
  const change = (request: Request, isOpen: boolean) => {
    if (isStream(request)) return
    if (isOpen) open.add(request)
    else open.delete(request)
    changedMs = Date.now()
  }
  page.on('request', (request) => change(request, true))
  page.on('requestfinished', (request) => change(request, false))
  page.on('requestfailed', (request) => change(request, false))
  return async () => {
    changedMs = Date.now()
    const endMs = changedMs + LIMIT_MS
    await waitUntil('the page asks nothing more', () => {
      const isQuiet = open.size === 0 && Date.now() >= changedMs + QUIET_MS
      return isQuiet || Date.now() >= endMs
    })
  }
}

/** Does `act`, and waits until the page has seen it and has the answers to what it then asks of
 * this path. */
export async function untilAnswered(
  page: Page,
  path: string,
  act: () => Promise<void>,
): Promise<void> {
  const answers: Promise<unknown>[] = []
  const watch = (request: Request) => {
    if (request.url().includes(path)) answers.push(request.response())
  }
  page.on('request', watch)
  await act()
  // Two frames: it is handled, and what follows is drawn.
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
  )
  page.off('request', watch)
  await Promise.all(answers)
}

/** A further tab of the same browser, once it has all that it asks by itself: such a call would
 *  find a session that ends meanwhile. */
export async function openTab(context: BrowserContext, address: string): Promise<Page> {
  const tab = await context.newPage()
  const settled = watchRequests(tab)
  await tab.goto(address)
  await tab.getByRole('navigation').first().waitFor()
  await settled()
  return tab
}
