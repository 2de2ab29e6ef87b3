// After code 3, 4 or 5 the store works on nothing within a second (decision 4.7). Seen from
// outside: the CPU that the store's process uses, which must first be seen to work. A product of
// this file's own, so that nothing else runs in it but merges of what was ingested, whose threads
// are left out.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSearchClient, parseAnswer } from '../../support/clients/search-client.ts'
import { cpuSeconds } from '../../support/machine/process-usage.ts'
import { type Product, startProduct } from '../../support/product/product.ts'

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
const LOOK_MS = 500
/** CPU seconds between the end and rest: what two processors have in the second that they are
 *  given. */
const MOST_BEHIND_END = 2
const AT_REST_WITHIN_MS = 30_000
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
    const answer = await fetch(
      `${product.url}/logeye/api/logger.jsp?token=${product.secrets.token}`,
      { method: 'POST', body: lines.join('\n'), headers: { 'content-type': 'application/json' } },
    )
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('"code":0')])
  }
  const client = makeSearchClient(product.url, product.secrets.password)
  for (let n = 0; (await client.count('*')) !== EVENTS; n += 1) {
    if (n > 300) throw new Error('not all events were stored')
    await sleep(200)
  }
}, 120_000)

afterAll(async () => {
  await product.killAll()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('the store', () => {
  it('rests soon after code 3', async () => {
    const before = await usedSeconds()
    expect(await call({ searchQuery: `${SLOW} | count`, timeout: '4000' })).toMatch(/^3: /)
    expect((await usedSeconds()) - before).toBeGreaterThan(AT_WORK)
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
    const before = await usedSeconds()
    expect(await call({ searchQuery: `${LARGE} OR ${SLOW} | count`, timeout: '4000' })).toMatch(
      /^3: /,
    )
    expect((await usedSeconds()) - before).toBeGreaterThan(AT_WORK)
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
    const message = await call({
      searchQuery: '* | distinct count message, distinct count column.id',
    })
    expect(message).toMatch(/^5: /)
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
    await sleep(1500)
    stop.abort()
    await ended
    await expectAtRestSoon()
    expect(await makeSearchClient(product.url, product.secrets.password).count('*')).toBe(EVENTS)
    expect(await gauges()).toEqual({ running: 0, queued: 0 })
  })
})

/** The message of a failure, '' for a success. */
async function call(
  fields: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<string> {
  const answer = await fetch(`${product.url}/logeye/view/api/widgetAPI.jsp`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ widgetId: 'searchAPI', fixedInterval: 'allData', autoLogin: 'true', username: 'admin' },
      password: product.secrets.password,
      ...fields,
    }),
    ...(signal ? { signal } : {}),
  })
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

/** Without this the tests would pass for a query that was over before it could be ended. */
async function untilAtWork(before: number): Promise<void> {
  await expect
    .poll(async () => (await usedSeconds()) - before, { timeout: 20_000 })
    .toBeGreaterThan(AT_WORK)
}

async function expectAtRestSoon(): Promise<void> {
  const [atEnd, started] = [await usedSeconds(), performance.now()]
  let atRest = atEnd
  for (let restingLooks = 0; restingLooks < 2; ) {
    const [before, lookedMs] = [await usedSeconds(), performance.now()]
    expect(lookedMs - started).toBeLessThan(AT_REST_WITHIN_MS)
    await sleep(LOOK_MS)
    const used = await usedSeconds()
    const share = ((used - before) * 1000) / (performance.now() - lookedMs)
    restingLooks = share < AT_REST ? restingLooks + 1 : 0
    if (restingLooks === 0) atRest = used
  }
  expect(atRest - atEnd).toBeLessThan(MOST_BEHIND_END)
}

async function gauges(): Promise<{ running: number; queued: number }> {
  const text = await (await fetch(`${product.url}/metrics`)).text()
  const read = (name: string) =>
    Number(new RegExp(`^${name}\\{[^}]*\\} (\\d+)`, 'm').exec(text)?.[1])
  return { running: read('logeye_searches_running'), queued: read('logeye_searches_queued') }
}
