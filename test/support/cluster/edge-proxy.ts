// The edge of a cluster on one machine: what senders use goes to the listeners, everything else to
// the query processes, in turn. One that takes no connection, or does not say within a second that
// it is ready, comes behind those that are; what waits at one that has said nothing for 3 s is
// answered, so that its sender can repeat it. For tests and trials; infra/deploy/haproxy is the one
// for production.

import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http'
import { mergeMetricTexts } from '../../../infra/metrics.ts'
import { waitUntil } from '../run/wait-until.ts'

const LISTENER_PATHS = [
  '/logeye/api/logger.jsp',
  '/logeye/api/cloudevents',
  '/logeye/api/receipt.jsp',
]
/** Above the product's own limit, whose answer says more. */
const MAX_HEADER_BYTES = 256 * 1024
const CONNECT_MS = 1000
const METRICS_MS = 3000
const LOOK_EVERY_MS = 300
const READY_MS = 1000
/** Of these only one hop knows. */
const HOP_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade'])

/** A busy machine keeps an answer for a second, too: what is under way is not given up at once. */
const SILENT_MS = 3000

/** Which process is tried first. */
type Ranks = Map<string, number>
const READY = 0
const NOT_READY = 1
const SILENT = 2
const DRAINED = 3

export type EdgeProxy = {
  readonly url: string
  /** Takes a process out before it is stopped, as operators do: it gets no new requests while
   *  others are there. Resolves when it has answered those that it had. */
  drain(url: string): Promise<void>
  undrain(url: string): void
  close(): Promise<void>
}

export async function startEdgeProxy(options: {
  readonly port: number
  readonly listeners: readonly string[]
  readonly queries: readonly string[]
  /** Of every process by its name: their metrics together are those of the edge. */
  readonly all: Readonly<Record<string, string>>
}): Promise<EdgeProxy> {
  let turn = 0
  const ranks: Ranks = new Map()
  const underWay = new UnderWay()
  const drained = new Set<string>()
  const rankOf = (url: string) => (drained.has(url) ? DRAINED : (ranks.get(url) ?? READY))
  const looking = setInterval(() => {
    for (const url of [...options.listeners, ...options.queries]) void look(url, ranks, underWay)
  }, LOOK_EVERY_MS)
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (asked, answer) => {
    const path = (asked.url ?? '/').split('?')[0] ?? '/'
    if (path === '/metrics') {
      void gatherMetrics(options.all).then((text) => answer.end(text))
      return
    }
    const pool = LISTENER_PATHS.includes(path) ? options.listeners : options.queries
    turn += 1
    const inTurn = pool.map((_, at) => pool[(turn + at) % pool.length] ?? '')
    const order = inTurn.toSorted((a, b) => rankOf(a) - rankOf(b))
    passOn(asked, answer, order, underWay)
  })
  server.requestTimeout = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${options.port}`,
    drain: async (url) => {
      drained.add(url)
      await waitUntil('the process has answered', () => underWay.count(url) === 0)
    },
    undrain: (url) => void drained.delete(url),
    close: () =>
      new Promise((resolve) => {
        clearInterval(looking)
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function look(url: string, ranks: Ranks, underWay: UnderWay): Promise<void> {
  try {
    const signal = AbortSignal.timeout(READY_MS)
    const answer = await fetch(`${url}/logeye/health/ready`, { signal })
    await answer.arrayBuffer()
    ranks.set(url, answer.ok ? READY : NOT_READY)
    underWay.heard(url)
  } catch {
    ranks.set(url, SILENT)
    underWay.silent(url)
  }
}

/** Requests that wait at each process, and since when it has said nothing. */
class UnderWay {
  readonly #requests = new Map<string, Set<ClientRequest>>()
  readonly #silentMs = new Map<string, number>()

  add(url: string, passed: ClientRequest): void {
    const there = this.#requests.get(url) ?? new Set()
    this.#requests.set(url, there.add(passed))
    passed.once('close', () => there.delete(passed))
  }

  count(url: string): number {
    return this.#requests.get(url)?.size ?? 0
  }

  heard(url: string): void {
    this.#silentMs.delete(url)
  }

  silent(url: string): void {
    const nowMs = performance.now()
    const sinceMs = this.#silentMs.get(url) ?? nowMs
    this.#silentMs.set(url, sinceMs)
    if (nowMs - sinceMs < SILENT_MS) return
    for (const passed of this.#requests.get(url) ?? []) passed.destroy(new Error('it is silent'))
  }
}

/** Of those that answer; each series says whose it is. */
async function gatherMetrics(all: Readonly<Record<string, string>>): Promise<string> {
  const texts = Object.entries(all).map(async ([name, url]) => {
    try {
      const given = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(METRICS_MS) })
      const text = await given.text()
      return text.replace(/^([a-zA-Z_:][\w:]*)\{/gm, `$1{node="${name}",`)
    } catch {
      return ''
    }
  })
  return mergeMetricTexts(await Promise.all(texts))
}

function passOn(
  asked: IncomingMessage,
  answer: ServerResponse,
  order: readonly string[],
  underWay: UnderWay,
): void {
  const [target, ...others] = order
  if (target === undefined) {
    asked.resume()
    const isSender = LISTENER_PATHS.some((path) => asked.url?.startsWith(path))
    answer.writeHead(isSender ? 500 : 503, { 'retry-after': '1' })
    answer.end('{"text":"no process takes the request","code":1}')
    return
  }
  const { method } = asked
  const headers = {
    ...asked.headers,
    'x-forwarded-for': asked.socket.remoteAddress ?? '127.0.0.1',
  }
  // A connection of its own each: none that a stopping process closes in the same moment.
  const passed = request(new URL(asked.url ?? '/', target), { method, headers, agent: false })
  underWay.add(target, passed)
  let isConnected = false
  const late = setTimeout(() => passed.destroy(new Error('no connection')), CONNECT_MS)
  passed.once('socket', (socket) =>
    socket.once('connect', () => {
      isConnected = true
      clearTimeout(late)
      asked.pipe(passed)
    }),
  )
  passed.once('response', (given) => {
    const kept = Object.entries(given.headers).filter(([name]) => !HOP_HEADERS.has(name))
    answer.writeHead(given.statusCode ?? 502, Object.fromEntries(kept))
    // An answer that breaks off is none: ours breaks off, too.
    given.once('error', () => answer.destroy())
    given.pipe(answer)
  })
  passed.once('error', () => {
    clearTimeout(late)
    if (!isConnected) passOn(asked, answer, others, underWay)
    else if (answer.headersSent) answer.destroy()
    else {
      asked.unpipe()
      asked.resume()
      answer.writeHead(502, { 'retry-after': '1', connection: 'close' })
      answer.end('{"text":"the process went away","code":1}')
    }
  })
  answer.once('close', () => passed.destroy())
}
