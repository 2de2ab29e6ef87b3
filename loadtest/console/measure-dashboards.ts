// Documents of eight widgets, and the first drawing of twelve over a day of events.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { z } from 'zod'
import { makeAdmin } from '../../test/support/browser/fill-console.ts'
import type { Product } from '../../test/support/product/product.ts'
import { type Figure, median } from './measure-page.ts'

const TRIES = 7
const DRAWN_MS = 120_000
const made = z.object({ response: z.object({ id: z.number() }) })

const QUERIES = [
  ['column', '* | count | interval 1 hour'],
  ['line', '* | avg duration_ms | interval 1 hour'],
  ['donut', '* | count | group by level'],
  ['bar', '* | count | group by service'],
  ['pie', '* | count | group by status'],
  ['stackedColumn', '* | count | interval 1 hour | group by level'],
  ['heatMap', '* | count | interval 1 hour | group by service'],
  ['area', 'level = ERROR | count | interval 1 hour'],
  ['bar', 'level = ERROR | count | group by service'],
  ['column', 'status >= 500 | count | interval 1 hour'],
  ['donut', 'level = WARN | count | group by service'],
  ['bar', '* | avg duration_ms | group by service'],
] as const

function definitionOf(count: number) {
  return {
    widgets: QUERIES.slice(0, count).map(([type, query], at) => ({
      ...{ id: `w${at}`, title: `Widget ${at}`, type, query },
      place: { column: (at % 4) * 3, row: Math.floor(at / 4) * 5, width: 3, height: 5 },
    })),
  }
}

export async function measureDashboards(page: Page, product: Product): Promise<Figure[]> {
  const call = makeAdmin(product)
  const settings = { timeFrame: { interval: 'last24Hours' }, generation: 'never' }
  const app = made.parse(await call('/logeye/api/apps', { name: 'Bench', settings })).response.id
  const add = async (name: string, count: number) => {
    const body = { name, definition: definitionOf(count) }
    return made.parse(await call(`/logeye/api/apps/${app}/dashboards`, body)).response.id
  }
  const eight = await add('Eight', 8)
  await add('Twelve', 12)
  await call(`/logeye/api/apps/${app}/dashboards/${eight}/result`, {})
  return [...(await measurePdf(product)), await measureDrawing(page, product)]
}

async function measurePdf({ url, secrets, processes }: Product): Promise<Figure[]> {
  const headers = { authorization: `Basic ${btoa(`admin:${secrets.password}`)}` }
  const path = '/logeye/view/api/dashboardAPI.jsp?action=export&appName=Bench&viewName=Eight'
  const pid = processes().find(({ role }) => role === 'front')?.pid
  const memory = (name: string) =>
    Number(
      new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0,
    ) / 1024
  const times: number[] = []
  const csv: number[] = []
  const before = memory('VmRSS')
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, memory('VmRSS'))
  }, 10)
  let bytes = 0
  for (let at = 0; at < TRIES; at += 1) {
    const started = performance.now()
    const answer = await fetch(`${url}${path}`, { headers })
    const body = Buffer.from(await answer.arrayBuffer())
    if (!body.subarray(0, 5).equals(Buffer.from('%PDF-'))) throw new Error('no PDF was answered')
    bytes = body.length
    times.push(performance.now() - started)
    const next = performance.now()
    await (await fetch(`${url}${path}&format=csv`, { headers })).text()
    csv.push(performance.now() - next)
  }
  clearInterval(watch)
  const [first = 0, ...warm] = times
  return [
    {
      ...{ name: 'PDF of eight widgets', value: median(warm), unit: 'ms', target: 300 },
      baseline: median(csv),
      told: `${bytes} bytes; the first ${first.toFixed(0)} ms; baseline: the same result in CSV`,
    },
    {
      ...{ name: 'memory for PDFs', value: most - before, unit: 'MiB', target: 100 },
      told: `resident of the front, ${before.toFixed(0)} MiB before`,
    },
  ]
}

async function measureDrawing(page: Page, { url }: Product): Promise<Figure> {
  const draw = async () => {
    const started = performance.now()
    await page.goto(`${url}/logeye/dashboards/Bench/Twelve`)
    // Not by waitForFunction, which the policy of the page refuses.
    const last = page.locator('[data-drawn=yes]').nth(QUERIES.length - 1)
    await last.waitFor({ state: 'attached', timeout: DRAWN_MS })
    return performance.now() - started
  }
  // Of the server alone: the same queries, at once.
  const asked = QUERIES.map(([, query]) => new URLSearchParams({ query, interval: 'last24Hours' }))
  const alone = await page.evaluate<number>(`(async () => {
    const started = performance.now()
    await Promise.all(${JSON.stringify(asked.map(String))}.map(async (one) =>
      (await fetch('/logeye/api/search/query?' + one)).text()))
    return performance.now() - started
  })()`)
  const times = [await draw(), await draw(), await draw()]
  return {
    ...{ name: 'dashboard of twelve widgets first drawn', value: median(times), unit: 'ms' },
    ...{ target: 2000, baseline: alone },
    told: 'median of 3; baseline: the twelve queries at once, without a page',
  }
}
