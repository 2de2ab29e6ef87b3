// What the search page costs the browser, and how long people wait, each beside what the server
// alone takes in the same run.
import type { CDPSession, Page } from 'playwright-core'
import type { Product } from '../../test/support/product/product.ts'
import { makeEvents } from '../support/events.ts'

const SCROLL_LIMIT_MS = 120_000
const SCROLL_PX = 300
const TRIES = 12
const WAIT_MS = 60_000

export type Figure = {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly target?: number
  /** What the same run measured without the page. */
  readonly baseline?: number
  readonly told?: string
}

export const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Main-thread seconds so far, and bytes that scripts hold. */
async function metricsOf(session: CDPSession) {
  const { metrics } = await session.send('Performance.getMetrics')
  return (name: string) => metrics.find((one) => one.name === name)?.value ?? 0
}

/** Scrolls to the end or for two minutes, and says how many events lay on the way. */
export async function measureScroll(page: Page, session: CDPSession): Promise<Figure[]> {
  const scroll = (px: number, upTo: number) =>
    page.evaluate<{ frames: number; events: number; slow: number }>(
      `new Promise((resolve) => {
        const list = document.querySelector('#events')
        const started = performance.now()
        let frames = 0, before = started, slow = 0
        const step = (now) => {
          frames += 1
          if (now - before > 34) slow += 1
          before = now
          list.scrollTop += ${px}
          const events = Number(list.getAttribute('aria-rowcount'))
          if (events >= ${upTo} || now - started > ${SCROLL_LIMIT_MS} || (${px} === 0 && frames > 200))
            resolve({ frames, events, slow })
          else requestAnimationFrame(step)
        }
        requestAnimationFrame(step)
      })`,
    )
  const taken = async (px: number, upTo: number) => {
    const before = await metricsOf(session)
    const told = await scroll(px, upTo)
    const after = await metricsOf(session)
    const ms = (1000 * (after('TaskDuration') - before('TaskDuration'))) / told.frames
    return { ...told, ms }
  }
  const still = await taken(0, Number.MAX_SAFE_INTEGER)
  const moved = await taken(SCROLL_PX, 100_000)
  return [
    {
      ...{ name: 'main thread a frame while scrolling', value: moved.ms, unit: 'ms', target: 12 },
      baseline: still.ms,
      told: `${moved.events} events, ${moved.frames} frames, ${moved.slow} over 34 ms; baseline: no scrolling`,
    },
  ]
}

/** From the key to the list of completions, by what the page draws. */
export async function measureCompletion(page: Page): Promise<Figure> {
  const own: number[] = []
  const server: number[] = []
  await page.locator('#query .cm-content').click()
  for (let at = 0; at < TRIES; at += 1) {
    await page.keyboard.press('Control+A')
    await page.keyboard.press('Delete')
    await page.locator('#query .cm-tooltip-autocomplete').waitFor({ state: 'detached' })
    const seen = page.evaluate<number>(`new Promise((resolve) => {
      const host = [...document.querySelectorAll('#query, #query *')].find((one) => one.shadowRoot)
      let pressed = 0
      host.addEventListener('keydown', () => { pressed = performance.now() }, { capture: true, once: true })
      const root = host.shadowRoot
      const watch = new MutationObserver(() => {
        if (root.querySelector('.cm-tooltip-autocomplete li') === null) return
        watch.disconnect()
        requestAnimationFrame(() => resolve(performance.now() - pressed))
      })
      watch.observe(root, { childList: true, subtree: true })
    })`)
    await page.keyboard.type('le')
    own.push(await seen)
    server.push(await timeCall(page, '/logeye/api/search/complete?query=le&position=2'))
  }
  return {
    ...{ name: 'key to completion', value: median(own), unit: 'ms', target: 50 },
    ...{ baseline: median(server), told: `median of ${TRIES}; baseline: the call alone` },
  }
}

function timeCall(page: Page, path: string): Promise<number> {
  return page.evaluate<number>(`(async () => {
    const started = performance.now()
    await (await fetch(${JSON.stringify(path)})).text()
    return performance.now() - started
  })()`)
}

/** From the click on Run to other rows in the list. */
export async function measureFirstRows(page: Page): Promise<Figure> {
  const own: number[] = []
  const server: number[] = []
  for (let at = 0; at < TRIES; at += 1) {
    const word = ['cart', 'checkout', 'payments', 'orders'][at % 4]
    const query = `service = ${word} status >= ${400 + at}`
    await page.locator('#query .cm-content').click()
    await page.keyboard.press('Control+A')
    await page.keyboard.type(query)
    await page.keyboard.press('Escape')
    const asked = new URLSearchParams({ query, interval: 'last24Hours', limit: '250' })
    server.push(await timeCall(page, `/logeye/api/search/events?${asked}`))
    own.push(
      await page.evaluate<number>(`new Promise((resolve) => {
        const first = document.querySelector('.event-message')
        const list = document.querySelector('#events .events-all')
        const before = list.textContent
        const started = performance.now()
        const look = () => {
          if (list.isConnected ? list.textContent !== before : document.querySelector('.event-message') !== first)
            requestAnimationFrame(() => resolve(performance.now() - started))
          else if (performance.now() - started > ${WAIT_MS}) resolve(NaN)
          else requestAnimationFrame(look)
        }
        document.querySelector('.search-ask .button-main').click()
        look()
      })`),
    )
  }
  const above = own.map((ms, at) => ms - (server[at] ?? 0))
  return {
    ...{ name: 'click to first rows, above the server', value: median(above), unit: 'ms' },
    ...{ target: 150, baseline: median(server) },
    told: `median of ${TRIES}, ${median(own).toFixed(0)} ms in all; baseline: the call for events alone`,
  }
}

/** From the acknowledgement of an event to its row, beside a plain reader of the stream. */
export async function measureTail(page: Page, { url, secrets }: Product): Promise<Figure> {
  const behind: number[] = []
  const stream: number[] = []
  for (let at = 0; at < TRIES; at += 1) {
    const word = `tailed${at}x${Date.now()}`
    const plain = page.evaluate<number>(`new Promise((resolve) => {
      const source = new EventSource('/logeye/api/search/tail?query=${word}')
      source.onmessage = () => { source.close(); resolve(Date.now()) }
    })`)
    const shown = page.evaluate<number>(`new Promise((resolve) => {
      const watch = new MutationObserver(() => {
        if (!document.querySelector('#events')?.textContent.includes('${word}')) return
        watch.disconnect()
        resolve(Date.now())
      })
      watch.observe(document.body, { childList: true, subtree: true, characterData: true })
    })`)
    await new Promise((resolve) => setTimeout(resolve, 300))
    await fetch(`${url}/logeye/api/logger.jsp?token=${secrets.token}`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ message: `tail ${word}`, level: 'INFO' }),
    })
    const [plainMs, shownMs] = await Promise.all([plain, shown])
    stream.push(plainMs)
    behind.push(shownMs - plainMs)
  }
  return {
    ...{ name: 'tail, behind the stream', value: median(behind), unit: 'ms', target: 300 },
    told: `median of ${TRIES} single events; the page and a bare EventSource`,
  }
}

/** Bytes that scripts hold while 500 events a second come in, after a collection each time. */
export async function measureTailMemory(
  session: CDPSession,
  { url, secrets }: Product,
  seconds: number,
): Promise<Figure> {
  const EVENTS_A_SECOND = 500
  const events = makeEvents(7, Date.now())
  const held: number[] = []
  const started = performance.now()
  for (let second = 0; second < seconds; second += 1) {
    const body = Array.from({ length: EVENTS_A_SECOND }, () =>
      events.next().replace(/"timestamp":"[^"]*",/, ''),
    )
    await fetch(`${url}/logeye/api/logger.jsp?token=${secrets.token}`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: body.join('\n'),
    })
    if (second % 15 === 14) {
      await session.send('HeapProfiler.collectGarbage')
      held.push((await metricsOf(session))('JSHeapUsedSize') / 2 ** 20)
    }
    const restMs = started + 1000 * (second + 1) - performance.now()
    if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs))
  }
  // The list is full after its first 2,000 events.
  const [first = 0] = held
  const last = held.at(-1) ?? 0
  return {
    ...{ name: 'memory of the page under tail', value: last, unit: 'MiB', baseline: first },
    told: `500 events/s for ${seconds} s instead of an hour: ${held.map((it) => it.toFixed(1)).join(' ')}; baseline: after 15 s`,
  }
}
