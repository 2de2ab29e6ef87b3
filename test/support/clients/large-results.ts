// Large results read as a client reads them: streamed, every row counted and its number compared,
// memory of each process watched.
import { memoryBytes } from '../machine/process-usage.ts'
import type { Product } from '../product/product.ts'
import { waitUntil } from '../run/wait-until.ts'

const BATCH_BYTES = 5_000_000

/** Messages `<word> 0`, `<word> 1`, … in order of receipt; a result is newest first. About 280
 *  bytes as CSV, and 60 for each `repeats`. */
export async function ingestNumbered(
  product: Product,
  count: number,
  { word = 'numbered', repeats = 0 } = {},
): Promise<void> {
  const startMs = Date.now() - count
  const batch = Math.floor(BATCH_BYTES / (300 + 60 * repeats))
  for (let from = 0; from < count; from += batch) {
    const lines = Array.from({ length: Math.min(batch, count - from) }, (_, index) => {
      const n = from + index
      const words = `${n * 7919} the quick brown fox jumps over the lazy dog ${n * 104_729}`
      const timestamp = new Date(startMs + n).toISOString()
      const message = `${word} ${n} ${words} ${words}${` ${words}`.repeat(repeats)}`
      return JSON.stringify({ timestamp, n, message, words })
    })
    const answer = await fetch(
      `${product.url}/logeye/api/logger.jsp?token=${product.secrets.token}`,
      { method: 'POST', body: lines.join('\n'), headers: { 'content-type': 'application/json' } },
    )
    if (answer.status !== 200) throw new Error(`ingest answered ${answer.status}`)
  }
}

export async function call(
  product: Product,
  fields: Readonly<Record<string, string>>,
  signal?: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const body = new URLSearchParams({
    ...{ widgetId: 'searchAPI', fixedInterval: 'allData', autoLogin: 'true', username: 'admin' },
    password: product.secrets.password,
    ...fields,
  })
  const path = `${product.url}/logeye/view/api/widgetAPI.jsp`
  return await fetch(path, { method: 'POST', body, headers, signal: signal ?? null })
}

export async function waitStored(
  product: Product,
  count: number,
  word = 'numbered',
): Promise<void> {
  let text = ''
  await waitUntil(
    `all ${count} events are stored`,
    async () => {
      text = await (await call(product, { searchQuery: `${word} | count` })).text()
      return text.includes(`<Cell name="count">${count}</Cell>`)
    },
    () => text,
  )
}

/** The file that an answer names, asked for with the same credentials; its address is that of the
 *  product as it was started. */
export async function fetchFile(product: Product, document: string): Promise<Response> {
  const address = /<Url>(.*)<\/Url>/.exec(document)?.[1]
  if (address === undefined) throw new Error(`no file is named: ${document.slice(0, 300)}`)
  const url = new URL(new URL(address).pathname, product.url)
  const { password } = product.secrets
  const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`
  return await fetch(url, { headers: { authorization } })
}

export type ReadResult = { readonly rows: number; readonly bytes: number; readonly ms: number }

/** Reads to the end; fails unless the rows are `<word> <count - 1>` … `<word> 0`. */
export async function readNumbered(
  answer: Response,
  count: number,
  word = 'numbered',
): Promise<ReadResult> {
  const startedMs = performance.now()
  const decoder = new TextDecoder()
  const numbered = new RegExp(`\\b${word} (\\d+)\\b`)
  let [rest, rows, bytes] = ['', 0, 0]
  const take = (line: string) => {
    const n = numbered.exec(line)?.[1]
    if (n === undefined) return
    if (Number(n) !== count - 1 - rows) throw new Error(`row ${rows} is ${n}`)
    rows += 1
  }
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.byteLength
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  }
  take(rest)
  if (rows !== count) throw new Error(`${rows} rows of ${count}: ${rest.slice(0, 300)}`)
  return { rows, bytes, ms: performance.now() - startedMs }
}

export type Growth = Readonly<
  Record<string, { readonly beforeMb: number; readonly growthMb: number }>
>

/** By how much each process of the product grows at most while `run` runs. */
export async function watchGrowth<T>(
  product: Product,
  run: () => Promise<T>,
): Promise<{ value: T; growth: Growth }> {
  const mib = (bytes: number) => Math.round(bytes / 1_048_576)
  const watched = product.processes().map(({ pid, role }) => {
    const before = memoryBytes(pid)
    return { pid, role, before, peak: before }
  })
  const timer = setInterval(() => {
    for (const process of watched) process.peak = Math.max(process.peak, memoryBytes(process.pid))
  }, 100)
  try {
    const value = await run()
    const growth: Record<string, Growth[string]> = {}
    // Of several processes of a role the one that grew most.
    for (const { role, before, peak } of watched) {
      const growthMb = mib(peak - before)
      if (growthMb >= (growth[role]?.growthMb ?? 0))
        growth[role] = { beforeMb: mib(before), growthMb }
    }
    return { value, growth }
  } finally {
    clearInterval(timer)
  }
}
