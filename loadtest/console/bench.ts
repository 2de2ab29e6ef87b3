// `npm run bench:console`: what the pages cost and how long people wait, in headless Chromium over
// a day of events: [--events 10000000], sent for [--load-seconds 180] at most. [--tail-seconds 120]
// stand for the hour of tail.
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { openBrowser } from '../../test/support/browser/chromium.ts'
import { makeAdmin } from '../../test/support/browser/fill-console.ts'
import type { Product } from '../../test/support/product/product.ts'
import { makeBodies, makeEvents } from '../support/events.ts'
import { onFreshProduct } from '../support/on-fresh-product.ts'
import { measureDashboards } from './measure-dashboards.ts'
import {
  type Figure,
  measureCompletion,
  measureFirstRows,
  measureScroll,
  measureTail,
  measureTailMemory,
} from './measure-page.ts'

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '10000000' },
    'load-seconds': { type: 'string', default: '180' },
    'tail-seconds': { type: 'string', default: '120' },
  },
})
const EVENTS = Number(values.events)
const LOAD_SECONDS = Number(values['load-seconds'])
const TAIL_SECONDS = Number(values['tail-seconds'])
const A_BODY = 20_000
const CONNECTIONS = 3
const DAY_MS = 86_400_000
const STORED_MS = 600_000

/** Sends what it can; gives how many are found. */
async function load(product: Product): Promise<number> {
  const { url, secrets } = product
  const startMs = Date.now() - DAY_MS + 60_000
  const events = makeEvents(1, startMs, (DAY_MS - 120_000) / EVENTS)
  const until = performance.now() + LOAD_SECONDS * 1000
  let sent = 0
  const drive = async () => {
    while (sent < EVENTS && performance.now() < until) {
      const [body] = makeBodies(events, A_BODY, A_BODY)
      const answer = await fetch(`${url}/logeye/api/logger.jsp?token=${secrets.token}`, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
        body: body ?? Buffer.alloc(0),
      })
      if (answer.status === 200) sent += A_BODY
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, drive))
  const call = makeAdmin(product)
  const deadline = performance.now() + STORED_MS
  while (performance.now() < deadline) {
    const told = await call('/logeye/api/search/histogram', { interval: 'allData', buckets: 1 })
    const total = Number(/"total":(\d+)/.exec(JSON.stringify(told))?.[1] ?? 0)
    if (total >= sent) return total
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
  throw new Error(`${sent} events were not found in ${STORED_MS} ms`)
}

function print({ name, value, unit, target, baseline, told }: Figure): void {
  const ratio =
    baseline === undefined ? '' : `, ${(value / baseline).toFixed(2)} × ${baseline.toFixed(1)}`
  const verdict =
    target === undefined ? '' : value <= target ? `, within ${target}` : `, OVER ${target}`
  console.log(`${name}: ${value.toFixed(1)} ${unit}${verdict}${ratio} (${told ?? ''})`)
}

await onFreshProduct('bench-console', async (product) => {
  const loading = performance.now()
  const count = await load(product)
  console.log(
    `${count} events in ${((performance.now() - loading) / 1000).toFixed(0)} s; load ${loadavg()[0]?.toFixed(1)}`,
  )
  const browser = await openBrowser()
  try {
    const { page, context } = await browser.open()
    const session = await context.newCDPSession(page)
    await session.send('Performance.enable')
    await page.goto(`${product.url}/logeye/?interval=last24Hours`)
    await page.getByLabel('User').fill('admin')
    await page.getByLabel('Password').fill(product.secrets.password)
    await page.keyboard.press('Enter')
    await page.locator('.event-message').first().waitFor()
    const steps: (() => Promise<Figure | readonly Figure[]>)[] = [
      () => measureCompletion(page),
      () => measureFirstRows(page),
      () => measureDashboards(page, product),
      async () => {
        await page.goto(`${product.url}/logeye/?interval=last24Hours`)
        await page.locator('.event-message').first().waitFor()
        return await measureScroll(page, session)
      },
      async () => {
        await page.goto(`${product.url}/logeye/?live=1&query=tail`)
        await page.getByRole('button', { name: 'Pause' }).waitFor()
        return await measureTail(page, product)
      },
      async () => {
        await page.goto(`${product.url}/logeye/?live=1`)
        await page.getByRole('button', { name: 'Pause' }).waitFor()
        return await measureTailMemory(session, product, TAIL_SECONDS)
      },
    ]
    const failures: string[] = []
    for (const step of steps) {
      try {
        for (const figure of [await step()].flat()) print(figure)
      } catch (error) {
        failures.push(String(error).slice(0, 400))
      }
    }
    console.log(`load at the end ${loadavg()[0]?.toFixed(1)}`)
    return failures
  } finally {
    await browser.close()
  }
})
