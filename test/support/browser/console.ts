// A product with a browser in front of it, as people have it: real sign-in, real keys and clicks.
// Files that need no special product or empty pages share the product of their worker.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { listProcesses, type Product, startProduct } from '../product/product.ts'
import { waitUntil } from '../run/wait-until.ts'
import { type Opening, openBrowser, type Seen } from './chromium.ts'

const countAnswer = z.object({ response: z.object({ total: z.number() }) })

export type ConsoleTest = {
  readonly product: Pick<Product, 'url' | 'secrets' | 'processes'>
  open(options?: Opening): Promise<Seen>
  /** Opens the path, and signs in there, as the administrator if not as somebody else. */
  openSignedIn(path: string, options?: Opening & { readonly as?: Person }): Promise<Seen>
  send(events: readonly object[], hostName?: string): Promise<void>
  close(): Promise<void>
}

export type OwnConsoleTest = ConsoleTest & { readonly product: Product }

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

/** On a product of its own. */
export async function openConsoleTest(options: ConsoleOptions = {}): Promise<OwnConsoleTest> {
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
    openSignedIn: signIn(product, open),
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

/** On the product that was started for the worker (product/global-setup.ts), or on its own where
 * none was. Events and objects of other files are there: words of queries, names of objects and
 * users are this file's own. */
export async function openSharedConsole(): Promise<ConsoleTest> {
  const url = process.env.LOGEYE_TEST_URL
  if (url === undefined || url === '') return await openConsoleTest()
  const supervisorPid = Number(process.env.LOGEYE_TEST_SUPERVISOR_PID)
  const product = {
    url,
    secrets: {
      token: process.env.LOGEYE_TEST_TOKEN ?? '',
      password: process.env.LOGEYE_TEST_ADMIN_PASSWORD ?? '',
    },
    processes: () => listProcesses(supervisorPid),
  }
  const { open, close } = await openBrowser()
  const tag = randomBytes(4).toString('hex')
  const sentBy = new Map<string, number>()
  return {
    product,
    open,
    openSignedIn: signIn(product, open),
    send: async (events, name = 'shop') => {
      const hostName = `${name}-${tag}`
      await ingest(product, { events, hostName, token: product.secrets.token })
      const sent = (sentBy.get(hostName) ?? 0) + events.length
      sentBy.set(hostName, sent)
      const quoted = hostName.replaceAll(/["\\]/g, '\\$&')
      await waitForEvents(product, `* in server."${quoted}"`, sent)
    },
    close,
  }
}

function signIn(
  { url, secrets }: ConsoleTest['product'],
  open: ConsoleTest['open'],
): ConsoleTest['openSignedIn'] {
  return async (path, options = {}) => {
    const { as = { name: 'admin', password: secrets.password } } = options
    const seen = await open(options)
    await seen.page.goto(`${url}${path}`)
    await seen.page.getByLabel('User').fill(as.name)
    await seen.page.getByLabel('Password').fill(as.password)
    await seen.page.keyboard.press('Enter')
    await seen.page.getByRole('navigation', { name: 'Pages' }).waitFor()
    return seen
  }
}

type Server = Pick<Product, 'url' | 'secrets'>

type Sent = {
  readonly events: readonly object[]
  readonly token: string
  readonly hostName: string
}

async function ingest({ url }: Server, { events, token, hostName }: Sent): Promise<void> {
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
  { url, secrets }: Server,
  query: string,
  count: number,
): Promise<void> {
  const asked = new URLSearchParams({ query, interval: 'allData', buckets: '1' })
  const authorization = `Basic ${btoa(`admin:${secrets.password}`)}`
  const found = async () => {
    const answer = await fetch(`${url}/logeye/api/search/histogram?${asked}`, {
      headers: { authorization },
    })
    return countAnswer.parse(await answer.json()).response.total
  }
  await waitUntil(`${count} events are found`, async () => (await found()) >= count, found)
}
