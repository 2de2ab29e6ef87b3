// Senders and a reader behind the edge of a cluster that notice everything: how often a request had
// to be repeated, how long each waited, what a search or a page did not give at the second try, how
// long nothing new was found.
import { makeSearchClient } from '../../../test/support/clients/search-client.ts'
import { sleep } from './sleep.ts'

export type Watched = {
  readonly sent: number
  /** Requests by how often they were sent. */
  readonly tries: Readonly<Record<number, number>>
  readonly statuses: Readonly<Record<string, number>>
  /** 500s without Retry-After. */
  readonly rude: number
  readonly longestWaitMs: number
  readonly reads: number
  /** Failed at the first try, and at the second, too. */
  readonly readsRepeated: number
  readonly readsFailed: readonly string[]
  /** Longest time in which a count did not grow. */
  readonly longestStillMs: number
}

export type LoadOptions = {
  readonly url: string
  readonly token: string
  readonly password: string
  /** In every event; no other has it. */
  readonly word: string
  readonly senders: number
  /** A sender gives up an answer. */
  readonly patienceMs: number
  /** At the end of an error a sender waits so long. */
  readonly pauseMs: number
}

const GIVE_UP_MS = 180_000
const READ_EVERY_MS = 150
const READ_MS = 12_000
const PAGE = 20
/** Of each search; one after the last would be refused. */
const PAGES = 3

type Status = number | 'late' | 'broken'

export type WatchedLoad = {
  /** What was seen since the last call. */
  take(): Watched
  sent(): number
  /** No new events; resolves when every one is acknowledged. */
  end(): Promise<void>
}

export function startWatchedLoad(options: LoadOptions): WatchedLoad {
  const { url, token, password, word } = options
  const search = makeSearchClient(url, password)
  const isOver = new AbortController()
  let sent = 0
  let seen = fresh()
  let found = -1
  let grownMs = performance.now()

  /** Its status, or what there was instead. */
  async function post(body: string, key: string): Promise<Status> {
    try {
      const answer = await fetch(`${url}/logeye/api/logger.jsp?token=${token}&hostName=watched`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        signal: AbortSignal.timeout(options.patienceMs),
      })
      await answer.arrayBuffer()
      if (answer.status === 500 && answer.headers.get('retry-after') === null) seen.rude += 1
      return answer.status
    } catch (error) {
      return error instanceof Error && error.name === 'TimeoutError' ? 'late' : 'broken'
    }
  }

  async function send(sender: number): Promise<void> {
    for (let number = 0; !isOver.signal.aborted; number += 1) {
      const key = `${word}-${sender}-${number}`
      const body = JSON.stringify({ message: `${word} event ${key}`, key })
      const beganMs = performance.now()
      for (let tries = 1; ; tries += 1) {
        const status = await post(body, key)
        seen.statuses[status] = (seen.statuses[status] ?? 0) + 1
        seen.longestWaitMs = Math.max(seen.longestWaitMs, performance.now() - beganMs)
        if (status === 200) {
          seen.tries[tries] = (seen.tries[tries] ?? 0) + 1
          break
        }
        if (performance.now() - beganMs > GIVE_UP_MS) throw new Error('no listener takes events')
        await sleep(options.pauseMs)
      }
      sent += 1
      seen.sent += 1
      await sleep(20)
    }
  }

  async function call(fields: Readonly<Record<string, string>>): Promise<string> {
    const body = new URLSearchParams({
      ...{ widgetId: 'searchAPI', fixedInterval: 'allData', autoLogin: 'true', username: 'admin' },
      ...{ password, ...fields },
    })
    const signal = AbortSignal.timeout(READ_MS)
    const answer = await fetch(`${url}/logeye/view/api/widgetAPI.jsp`, {
      method: 'POST',
      body,
      signal,
    })
    const text = await answer.text()
    if (!text.includes('state="OK"')) throw new Error(`${answer.status} ${text.slice(0, 300)}`)
    return text
  }

  /** Twice at most, as a user does. */
  async function read<T>(what: string, run: () => Promise<T>): Promise<T | undefined> {
    seen.reads += 1
    try {
      return await run()
    } catch {
      seen.readsRepeated += 1
    }
    try {
      return await run()
    } catch (error) {
      seen.readsFailed.push(`${what}: ${error instanceof Error ? error.message : ''}`)
      return undefined
    }
  }

  async function watch(): Promise<void> {
    let token: string | undefined
    for (let turn = 0; !isOver.signal.aborted; turn += 1) {
      const count = await read('count', () => search.count(word))
      if (count !== undefined && count > found) {
        const nowMs = performance.now()
        seen.longestStillMs = Math.max(seen.longestStillMs, nowMs - grownMs)
        grownMs = nowMs
        found = count
      }
      if (turn % PAGES === 0) {
        const first = { searchQuery: word, paginate: 'true', maxRecordsPerPage: String(PAGE) }
        const answer = (await read('search', () => call(first))) ?? ''
        const total = Number(/numberOfResults="(\d+)"/.exec(answer)?.[1])
        token = total >= PAGES * PAGE ? /token="([^"]+)"/.exec(answer)?.[1] : undefined
      } else if (token !== undefined) {
        const next = { token }
        await read('page', () => call(next))
      }
      await sleep(READ_EVERY_MS)
    }
  }

  const running = Promise.all([
    ...Array.from({ length: options.senders }, (_, sender) => send(sender)),
    watch(),
  ])
  running.catch(() => undefined)
  return {
    take: () => {
      seen.longestStillMs = Math.max(seen.longestStillMs, performance.now() - grownMs)
      const taken = seen
      seen = fresh()
      grownMs = performance.now()
      return taken
    },
    sent: () => sent,
    end: async () => {
      isOver.abort()
      await running
    },
  }
}

type Seen = { -readonly [name in keyof Watched]: Watched[name] } & {
  tries: Record<number, number>
  statuses: Record<string, number>
  readsFailed: string[]
}

function fresh(): Seen {
  return {
    ...{ sent: 0, tries: {}, statuses: {}, rude: 0, longestWaitMs: 0 },
    ...{ reads: 0, readsRepeated: 0, readsFailed: [], longestStillMs: 0 },
  }
}
