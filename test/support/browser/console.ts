// A product of its own with a browser in front of it, as people have it: real sign-in, real keys
// and clicks.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { type Product, startProduct } from '../product/product.ts'
import { type Opening, openBrowser, type Seen } from './chromium.ts'

const countAnswer = z.object({ response: z.object({ total: z.number() }) })
const FOUND_LIMIT_MS = 60_000

export type ConsoleTest = {
  readonly product: Product
  open(options?: Opening): Promise<Seen>
  /** Opens the path, and signs in there, as the administrator if not as somebody else. */
  openSignedIn(path: string, options?: Opening & { readonly as?: Person }): Promise<Seen>
  send(events: readonly object[], hostName?: string): Promise<void>
  close(): Promise<void>
}

type Person = { readonly name: string; readonly password: string }

type ConsoleOptions = {
  readonly environment?: Readonly<Record<string, string>>
  /** Of HTTP; absent: a free one. */
  readonly port?: number
  /** What the product takes in so many days ago, before it is started for good. */
  readonly past?: { readonly days: number; readonly fill: (past: Past) => Promise<void> }
}

export type Past = {
  readonly product: Product
  send(events: readonly object[], token: string): Promise<void>
}

const DAY_MS = 86_400_000
/** Of what was sent in the past, which retention may take. */
const PAST_HOST = 'past-01'
const PAST_CLOCK = join(import.meta.dirname, '../product/past-clock.mjs')

export async function openConsoleTest(options: ConsoleOptions = {}): Promise<ConsoleTest> {
  const { environment = {}, past, port } = options
  const dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-browser-'))
  let secrets: Product['secrets'] | undefined
  if (past !== undefined) {
    const behind = {
      TEST_CLOCK_BEHIND_MS: String(past.days * DAY_MS),
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${pathToFileURL(PAST_CLOCK)}`,
    }
    const then = await startProduct({ dataDir, environment: { ...environment, ...behind } })
    try {
      let sent = 0
      const send: Past['send'] = async (events, token) => {
        await ingest(then, { events, token, hostName: PAST_HOST })
        sent += events.length
        await waitForEvents(then, '*', sent)
      }
      await past.fill({ product: then, send })
    } finally {
      await then.stop()
    }
    secrets = then.secrets
  }
  const known = secrets === undefined ? {} : { secrets }
  const at = port === undefined ? {} : { port }
  const product = await startProduct({ dataDir, environment, ...known, ...at })
  const { open, close } = await openBrowser(product.output)
  let sent = 0
  return {
    product,
    open,
    openSignedIn: async (path, options = {}) => {
      const { as = { name: 'admin', password: product.secrets.password } } = options
      const seen = await open(options)
      await seen.page.goto(`${product.url}${path}`)
      await seen.page.getByLabel('User').fill(as.name)
      await seen.page.getByLabel('Password').fill(as.password)
      await seen.page.keyboard.press('Enter')
      await seen.page.getByRole('navigation', { name: 'Pages' }).waitFor()
      return seen
    },
    send: async (events, hostName = 'web-01') => {
      await ingest(product, { events, hostName, token: product.secrets.token })
      sent += events.length
      await waitForEvents(product, past === undefined ? '*' : `* not host = "${PAST_HOST}"`, sent)
    },
    close: async () => {
      await close()
      await product.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

type Sent = {
  readonly events: readonly object[]
  readonly token: string
  readonly hostName: string
}

async function ingest({ url }: Product, { events, token, hostName }: Sent): Promise<void> {
  const asked = new URLSearchParams({ token, hostName })
  const answer = await fetch(`${url}/logeye/api/logger.jsp?${asked}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(events),
  })
  if (answer.status !== 200) throw new Error(`ingest answered ${answer.status}`)
}

/** An acknowledged event is found a moment later, and a page does not ask a second time. */
async function waitForEvents(
  { url, secrets }: Product,
  query: string,
  count: number,
): Promise<void> {
  const asked = new URLSearchParams({ query, interval: 'allData', buckets: '1' })
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
