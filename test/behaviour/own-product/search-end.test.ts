// A search that ends by its time, by a cancel or by its memory takes nothing with it. After code 3,
// 4 or 5 the store works on nothing within a second (decision 4.7). Seen from outside: the CPU that
// the store's process uses, which must first be seen to work. A product of this file's own with
// little memory for a search; nothing else runs in it but merges of what was ingested, whose
// threads are left out.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAnswer } from '../../support/clients/product-client.ts'
import { makeSearchClient, parseAnswer } from '../../support/clients/search-client.ts'
import { cpuSeconds } from '../../support/machine/process-usage.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { repeatUntil, waitUntil } from '../../support/run/wait-until.ts'

const EVENTS = 200_000
const BATCH = 20_000
/** Each is a walk of a small automaton over every byte of every message, with no letter in it that
 *  could be looked for first: some 20 s of two processors. */
const SLOW = Array.from({ length: 400 }, (_, n) => {
  const last = String.fromCharCode(97 + (n % 26), 97 + ((n * 7 + 1) % 26))
  return `message matches "[b-y][0-9]{${2 + (n % 5)}}[${last}]"`
}).join(' OR ')
/** Automata as large as the language allows; more is refused, since the engine builds them without
 *  looking whether it was ended. */
const LARGE = Array.from(
  { length: 26 },
  (_, n) => `message matches "[b-y][0-9]{${160 + n}}[${String.fromCharCode(97 + n)}]"`,
).join(' OR ')
const MANY = Array.from({ length: 150 }, (_, n) => `message matches "[b-y][0-9]{${20 + n}}"`).join(
  ' OR ',
)
/** CPU seconds of the store: by then it is at work on what it was asked. */
const AT_WORK = 0.5
/** CPU seconds in a second: what is left to housekeeping. */
const AT_REST = 0.25
/** It rests when it has used so little for so long. */
const REST_MS = 1000
/** CPU seconds between the end and rest: what two processors have in the second that they are
 *  given. */
const MOST_AFTER_END = 2
/** More keys than a search has memory for. */
const GREEDY = '* | count | group by message'
const THREADS_OF_MERGES = 'MergeMutate'

let product: Product
const dataDir = mkdtempSync(join(tmpdir(), 'logeye-search-end-'))

beforeAll(async () => {
  product = await startProduct({
    dataDir,
    environment: { LOGEYE_STORE_MAX_QUERY_MEMORY_BYTES: String(40_000_000) },
  })
  for (let from = 0; from < EVENTS; from += BATCH) {
    const lines = Array.from({ length: BATCH }, (_, n) => {
      const text = `${from + n} ${(from + n) * 7919} the quick brown fox jumps over the lazy dog`
      return JSON.stringify({ message: `${text} ${text} ${text}`, id: `id ${from + n}` })
    })
    await send(lines)
  }
  const client = makeSearchClient(product.url, product.secrets.password)
  const count = () => client.count('*')
  await waitUntil('all events are stored', async () => (await count()) === EVENTS, count)
})

afterAll(async () => {
  await product.killAll()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('the store', () => {
  it('rests soon after code 3', async () => {
    await expectEndedByTime(`${SLOW} | count`)
    await expectAtRestSoon()
  })

  it('rests soon after a cancel, code 4', async () => {
    const before = await usedSeconds()
    const ended = call({ searchQuery: `${SLOW} | count`, searchId: 'mine' })
    await untilAtWork(before)
    const cancelled = await call({ widgetId: 'cancelSearch', searchId: 'mine' })
    expect(cancelled).toBe('')
    expect(await ended).toMatch(/^4: /)
    await expectAtRestSoon()
  })

  it('rests soon after the largest regular expressions that are taken', async () => {
    await expectEndedByTime(`${LARGE} OR ${SLOW} | count`)
    await expectAtRestSoon()
  })

  it('is not asked for larger ones, code 5', async () => {
    expect(await call({ searchQuery: `${MANY} | count` })).toMatch(/^5: .* repetitions/)
  })

  it('rests soon after the client has gone', async () => {
    const stop = new AbortController()
    const before = await usedSeconds()
    const ended = call({ searchQuery: `${SLOW} | count` }, stop.signal)
    await untilAtWork(before)
    stop.abort()
    await expect(ended).rejects.toThrow()
    await expectAtRestSoon()
  })

  it('rests soon after code 5', async () => {
    expect(await call({ searchQuery: GREEDY })).toMatch(/^5: /)
    await expectAtRestSoon()
  })

  it('rests soon after many ends at once, and serves the next search', async () => {
    const before = await usedSeconds()
    const stop = new AbortController()
    const calls = Array.from({ length: 40 }, (_, n) =>
      call(
        { searchQuery: `${SLOW} | count`, ...(n % 2 === 0 ? { timeout: '1500' } : {}) },
        stop.signal,
      ),
    )
    const ended = Promise.allSettled(calls)
    await untilAtWork(before)
    // Those with a limit of time have ended.
    await Promise.all(calls.filter((_, n) => n % 2 === 0))
    stop.abort()
    await ended
    await expectAtRestSoon()
    expect(await makeSearchClient(product.url, product.secrets.password).count('*')).toBe(EVENTS)
    await waitUntil('the metrics say so', async () => {
      const { running, queued } = await gauges()
      return running === 0 && queued === 0
    })
  })
})

describe('searches that want more memory than they may take', () => {
  it.each(['xml', 'csv', 'json', 'csv-plain'])('fail with code 5 as %s', async (resultFormat) => {
    const answer = await ask({ searchQuery: GREEDY, resultFormat })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'application/xml; charset=utf-8',
    ])
    const document = await answer.text()
    expect(readAnswer(200, document, false)).toMatchObject({
      ...{ state: 'Fail', token: '', numberOfResults: 0, code: 5, rows: [] },
      message: expect.stringMatching(/^5: the search needs more memory than it may take/),
    })
  })

  it('fail, all of them, and take nothing with them: other searches, ingest, processes, events', async () => {
    const pids = () => product.processes().map(({ pid, role }) => `${role} ${pid}`)
    const before = pids()
    let isOver = false
    const greedy = Array.from({ length: 12 }, () => call({ searchQuery: GREEDY }))
    const ended = Promise.all(greedy).finally(() => {
      isOver = true
    })
    const client = makeSearchClient(product.url, product.secrets.password)
    let sent = 0
    await repeatUntil(
      () => isOver && sent >= 20,
      async () => {
        await send([JSON.stringify({ message: 'meanwhile', n: sent })])
        sent += 1
        expect(await client.count('"id 7"')).toBe(1)
      },
    )
    for (const message of await ended) expect(message).toMatch(/^5: /)
    const count = () => client.count('meanwhile')
    await waitUntil('what was sent meanwhile is found', async () => (await count()) === sent, count)
    expect(pids()).toEqual(before)
  })
})

async function send(lines: readonly string[]): Promise<void> {
  const answer = await fetch(
    `${product.url}/logeye/api/logger.jsp?token=${product.secrets.token}`,
    { method: 'POST', body: lines.join('\n'), headers: { 'content-type': 'application/json' } },
  )
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('"code":0')])
}

function ask(fields: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Response> {
  return fetch(`${product.url}/logeye/view/api/widgetAPI.jsp`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ widgetId: 'searchAPI', fixedInterval: 'allData', autoLogin: 'true', username: 'admin' },
      password: product.secrets.password,
      ...fields,
    }),
    ...(signal ? { signal } : {}),
  })
}

/** The message of a failure, '' for a success. */
async function call(
  fields: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<string> {
  const answer = await ask(fields, signal)
  const { state, message } = parseAnswer(await answer.text())
  return state === 'OK' ? '' : message
}

/** CPU seconds of the store's process since its start, without merges. */
async function usedSeconds(): Promise<number> {
  const pid = await product.pidOf('store')
  let seconds = cpuSeconds(pid)
  for (const thread of readdirSync(`/proc/${pid}/task`))
    if (threadName(pid, thread) === THREADS_OF_MERGES) seconds -= cpuSeconds(pid, thread)
  return seconds
}

function threadName(pid: number, thread: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/comm`, 'utf8').trim()
  } catch {
    // It has ended since it was listed.
    return undefined
  }
}

/** With more time where the machine is so busy that the store was not at work at the end. */
async function expectEndedByTime(searchQuery: string): Promise<void> {
  let timeout = 2000
  await waitUntil('a search ends when the store is at work', async () => {
    timeout *= 2
    const before = await usedSeconds()
    expect(await call({ searchQuery, timeout: String(timeout) })).toMatch(/^3: /)
    return (await usedSeconds()) - before > AT_WORK
  })
}

/** Without this the tests would pass for a query that was over before it could be ended. */
async function untilAtWork(before: number): Promise<void> {
  const used = async () => (await usedSeconds()) - before
  await waitUntil('the store is at work', async () => (await used()) > AT_WORK, used)
}

async function expectAtRestSoon(): Promise<void> {
  const atEnd = await usedSeconds()
  const samples: { readonly ms: number; readonly seconds: number }[] = []
  const atRest = await waitUntil('the store rests', async () => {
    const now = { ms: performance.now(), seconds: await usedSeconds() }
    samples.push(now)
    const then = samples.findLast(({ ms }) => now.ms - ms >= REST_MS)
    if (then === undefined) return undefined
    const share = ((now.seconds - then.seconds) * 1000) / (now.ms - then.ms)
    return share < AT_REST ? then : undefined
  })
  expect(atRest.seconds - atEnd).toBeLessThan(MOST_AFTER_END)
}

async function gauges(): Promise<{ running: number; queued: number }> {
  const text = await (await fetch(`${product.url}/metrics`)).text()
  const read = (name: string) =>
    Number(new RegExp(`^${name}\\{[^}]*\\} (\\d+)`, 'm').exec(text)?.[1])
  return { running: read('logeye_searches_running'), queued: read('logeye_searches_queued') }
}
