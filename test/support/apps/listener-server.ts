// A listener behind a real HTTP server on a port of its own, with the embedded event log in a
// directory of its own.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Clock } from '../../../infra/clock.ts'
import { type Config, configSchema } from '../../../infra/config-schema.ts'
import { openEventLog } from '../../../infra/event-log/open.ts'
import type { EventLog } from '../../../infra/event-log/port.ts'
import { chooseHttpEngine, type EngineName } from '../../../infra/http/engine.ts'
import { type Logger, makeLogger } from '../../../infra/logger.ts'
import { type Metrics, openMetrics } from '../../../infra/metrics.ts'
import type { Accounts } from '../../../ingest/listener/admission/find-account.ts'
import type { Explain } from '../../../ingest/listener/explain.ts'
import { type Listener, openListener } from '../../../ingest/listener/open.ts'
import { decodeBlock } from '../../../schemas/block/codec.ts'
import type { Block, BlockRequest } from '../../../schemas/block/schema.ts'
import { makeAccount } from '../ingest/split-event.ts'
import { testClock } from '../run/test-clock.ts'
import { wantedEngine } from './wanted-engine.ts'

export const PATH = '/logeye/api/logger.jsp'
const RECEIPT_PATH = '/logeye/api/receipt.jsp'

export const SUCCESS = { text: 'Success', code: 0, errors: [] }
export const NOTHING = { received: 0, accepted: 0, rejected: 0 }

export const ACCOUNTS = new Map([
  ['good', makeAccount({ id: 7, version: 3 })],
  ['other', makeAccount({ id: 8, version: 1 })],
])

export type TestListener = {
  readonly port: number
  readonly url: string
  readonly listener: Listener
  readonly eventLog: EventLog
  readonly metrics: Metrics
  readonly dataDir: string
  readonly logged: string[]
  post(body: string | Uint8Array, options?: PostOptions): Promise<Answer>
  /** Every request in the event log, in order. */
  stored(): Promise<BlockRequest[]>
  blocks(): Promise<Block[]>
  close(): Promise<void>
}
type PostOptions = {
  /** Default: logger.jsp. */
  readonly path?: string
  readonly query?: string
  readonly headers?: Record<string, string>
  readonly method?: string
}
export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown>
}

export async function startListener(
  options: {
    limits?: Partial<Config['listener']>
    eventLog?: EventLog
    accounts?: Accounts
    explain?: Explain
    dataDir?: string
    nodeName?: string
    receiptKey?: Buffer
    engine?: EngineName | undefined
    logger?: Logger
    clock?: Clock
  } = {},
): Promise<TestListener> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'logeye-test-listener-'))
  const { clock = testClock } = options
  const logged: string[] = []
  const ownLogger = makeLogger({
    level: 'info',
    process: 'test',
    clock,
    write: (line) => void logged.push(line),
  })
  const logger = options.logger ?? ownLogger
  const eventLog =
    options.eventLog ??
    (await openEventLog({ dataDir, maxBytes: 512 << 20, maxBlockBytes: 16 << 20, clock }))
  const metrics = openMetrics('test')
  const listener = openListener({
    eventLog,
    metastore: options.accounts ?? {
      accountByToken: (token) => ACCOUNTS.get(token),
      refresh: () => Promise.resolve(),
    },
    clock,
    logger,
    metrics,
    limits: { ...configSchema.parse({}).listener, diskReserveBytes: 0, ...options.limits },
    dataDir,
    nodeName: options.nodeName ?? 'node-a',
    maskKey: Buffer.alloc(32, 2),
    receiptKey: options.receiptKey ?? Buffer.alloc(32, 7),
    explain: options.explain ?? (() => Promise.reject(new Error('not asked for'))),
  })
  const engine = await chooseHttpEngine({
    engine: options.engine ?? wantedEngine(),
    frontProcesses: 1,
  })
  const server = await engine.open({
    address: '127.0.0.1',
    port: 0,
    trustedProxies: [],
    sharePort: false,
    rawRoutes: listener.routes,
    fetch: () => new Response('no route', { status: 404 }),
    logger,
  })
  const url = `http://127.0.0.1:${server.port}`
  const blocks = async (): Promise<Block[]> => {
    const found: Block[] = []
    for (let from = 0; ; ) {
      const some = await eventLog.read(0, from, { maxBytes: 1 << 20, waitMs: 0 })
      if (some.length === 0) return found
      for (const block of some) {
        found.push(decodeBlock(block.bytes))
        from = block.offset + 1
      }
    }
  }
  return {
    port: server.port,
    url,
    listener,
    eventLog,
    metrics,
    dataDir,
    logged,
    post: (body, postOptions = {}) => post(url, body, postOptions),
    blocks,
    stored: async () => (await blocks()).flatMap((block) => block.requests),
    async close() {
      await listener.stop()
      await server.stop(100)
      await eventLog.close()
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function post(url: string, body: string | Uint8Array, options: PostOptions): Promise<Answer> {
  const { path = PATH, query = 'token=good', headers = {}, method = 'POST' } = options
  const response = await fetch(`${url}${path}?${query}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method === 'GET' ? {} : { body }),
  })
  return toAnswer(response)
}

export async function getReceipt(url: string, query: string): Promise<Answer> {
  return toAnswer(await fetch(`${url}${RECEIPT_PATH}?${query}`))
}

async function toAnswer(response: Response): Promise<Answer> {
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Answer['body'],
  }
}

/** The text of each accepted event. */
export function eventsOf(request: BlockRequest): string[] {
  const { ranges, body } = request
  const events: string[] = []
  for (let i = 0; i < ranges.length; i += 2) {
    events.push(Buffer.from(body.subarray(ranges[i], ranges[i + 1])).toString())
  }
  return events
}

export async function expectGoodRequestWorks(listener: TestListener): Promise<void> {
  const answer = await listener.post('{"message":"good"}')
  expect(answer.body).toMatchObject({ ...SUCCESS, received: 1, accepted: 1, rejected: 0 })
  expect(answer.status).toBe(200)
}
