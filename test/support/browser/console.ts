// A product of its own with a browser in front of it, as people have it: real sign-in, real keys
// and clicks.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { type Product, startProduct } from '../product/product.ts'
import { type Opening, openBrowser, type Seen } from './chromium.ts'

const countAnswer = z.object({ response: z.object({ total: z.number() }) })
const FOUND_LIMIT_MS = 60_000

export type ConsoleTest = {
  readonly product: Product
  open(options?: Opening): Promise<Seen>
  /** Opens the path, and signs in there. */
  openSignedIn(path: string, options?: Opening): Promise<Seen>
  send(events: readonly object[], hostName?: string): Promise<void>
  close(): Promise<void>
}

type ConsoleOptions = { readonly environment?: Readonly<Record<string, string>> }

export async function openConsoleTest(options: ConsoleOptions = {}): Promise<ConsoleTest> {
  const dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-browser-'))
  const product = await startProduct({ dataDir, ...options })
  const { open, close } = await openBrowser()
  let sent = 0
  return {
    product,
    open,
    openSignedIn: async (path, options) => {
      const seen = await open(options)
      await seen.page.goto(`${product.url}${path}`)
      await seen.page.getByLabel('User').fill('admin')
      await seen.page.getByLabel('Password').fill(product.secrets.password)
      await seen.page.keyboard.press('Enter')
      await seen.page.getByRole('navigation', { name: 'Pages' }).waitFor()
      return seen
    },
    send: async (events, hostName = 'web-01') => {
      const { token } = product.secrets
      const answer = await fetch(
        `${product.url}/logeye/api/logger.jsp?token=${token}&hostName=${hostName}`,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(events),
        },
      )
      if (answer.status !== 200) throw new Error(`ingest answered ${answer.status}`)
      sent += events.length
      await waitForEvents(product, sent)
    },
    close: async () => {
      await close()
      await product.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** An acknowledged event is found a moment later, and a page does not ask a second time. */
async function waitForEvents({ url, secrets }: Product, count: number): Promise<void> {
  const asked = new URLSearchParams({ query: '*', interval: 'allData', buckets: '1' })
  const authorization = `Basic ${btoa(`admin:${secrets.password}`)}`
  const deadline = performance.now() + FOUND_LIMIT_MS
  while (performance.now() < deadline) {
    const answer = await fetch(`${url}/logeye/api/search/histogram?${asked}`, {
      headers: { authorization },
    })
    const { response } = countAnswer.parse(await answer.json())
    if (response.total >= count) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${count} events were not found in ${FOUND_LIMIT_MS} ms`)
}
