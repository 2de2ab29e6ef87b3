// What a page showed and was told when its test failed: a picture nobody can look at afterwards
// helps no one, its text does.
import type { Page } from 'playwright-core'
import { onTestFailed } from 'vitest'

const CALLS_KEPT = 40
const TEXT_KEPT = 6000
const ANSWER_KEPT = 300
const LIMIT_MS = 5000

/** To be called while a test runs; elsewhere (in a hook) nothing is told. */
export function tellFailureOf(page: Page): void {
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
  try {
    onTestFailed(async () => {
      const text = last || (await within(page.locator('body').ariaSnapshot()))
      console.error(
        [`page ${page.url()}`, ...calls.slice(-CALLS_KEPT), text.slice(0, TEXT_KEPT)].join('\n'),
      )
    })
  } catch {
    // Not in a test.
  }
}

async function within(reading: Promise<string>): Promise<string> {
  const late = new Promise<string>((resolve) =>
    setTimeout(() => resolve('not read in time'), LIMIT_MS),
  )
  return await Promise.race([reading.catch((error: unknown) => `not read: ${error}`), late])
}
