// What a page showed and was told when its test failed, and what the product said of itself: a
// picture nobody can look at afterwards helps no one, its text does.
import type { Page } from 'playwright-core'
import { onTestFailed } from 'vitest'

const CALLS_KEPT = 40
const TEXT_KEPT = 6000
const ANSWER_KEPT = 300
const OUTPUT_KEPT = 3000
const LIMIT_MS = 5000

const watched = new WeakMap<Page, () => Promise<string>>()

/**
 * To be called when the page is opened: while a test runs, it tells by itself when that fails; of a
 * page that a hook opened {@link tellPage} does.
 */
export function tellFailureOf(page: Page, output: () => string = () => ''): void {
  const calls: string[] = []
  page.on('response', async (answer) => {
    const { pathname } = new URL(answer.url())
    if (!pathname.includes('/api/')) return
    const at = calls.push(`${answer.status()} ${pathname}`) - 1
    const text = await answer.text().catch(() => 'not read')
    calls[at] += ` ${text.length} bytes: ${text.slice(0, ANSWER_KEPT)}`
  })
  page.on('requestfailed', (request) => {
    calls.push(`failed ${new URL(request.url()).pathname} ${request.failure()?.errorText}`)
  })
  let last = ''
  page.on('close', () => {
    last = 'the page is closed'
  })
  watched.set(page, async () => {
    const text = last || (await within(page.locator('body').ariaSnapshot()))
    return [
      `page ${page.url()}`,
      ...calls.slice(-CALLS_KEPT),
      text.slice(0, TEXT_KEPT),
      output().slice(-OUTPUT_KEPT),
    ].join('\n')
  })
  try {
    onTestFailed(() => tellPage(page))
  } catch {
    // Not in a test.
  }
}

export async function tellPage(page: Page): Promise<void> {
  console.error(await watched.get(page)?.())
}

async function within(reading: Promise<string>): Promise<string> {
  const late = new Promise<string>((resolve) =>
    setTimeout(() => resolve('not read in time'), LIMIT_MS),
  )
  return await Promise.race([reading.catch((error: unknown) => `not read: ${error}`), late])
}
