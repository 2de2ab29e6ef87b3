// How the query process grows over all events, an export of a million rows included; and a search
// that wants more memory than its limit: code 5, with other searches unharmed beside it.
import { memoryBytes, watchMemory } from '../../../test/support/machine/process-usage.ts'
import type { Loaded } from './load-data.ts'
import { OurClient } from './our-client.ts'
import { READER } from './prepare-users.ts'

const MIB = 2 ** 20
const LIMIT_MIB = 150
const EXPORTED_ROWS = 1_000_000
const QUERIES = [
  '*',
  'deadline | count | group by column.host, service, level, status',
  '404 | count',
  '* | distinct count trace_id',
  '* | count | group by thread',
]

export async function measureMemory({ product, spread }: Loaded): Promise<string[]> {
  const ours = new OurClient(product.port, READER)
  const missed: string[] = []
  const front = await product.pidOf('front')
  // The first searches pay for what stays.
  for (const query of ['*', '* | count']) await ours.text(query, 'all')
  const before = memoryBytes(front)
  const watch = watchMemory(() => [front])
  for (const query of QUERIES) await ours.text(query, 'all', { maxNumOfRecords: '10000' })
  const rows = Math.min(EXPORTED_ROWS, spread.events)
  const exported = await exportRows(product.port, rows)
  watch.stop()
  const grownMib = ((watch.peakBytes.get(front) ?? 0) - before) / MIB
  const text = `the query process grew by ${grownMib.toFixed(0)} MiB over ${spread.events} events`
  console.log(`${text}, export: ${exported.text} (asked: below ${LIMIT_MIB} MiB)`)
  if (grownMib >= LIMIT_MIB) missed.push(text)
  if (exported.rows !== rows) missed.push(`export: ${exported.text}`)
  missed.push(...(await wantTooMuch(ours, product.port)))
  ours.close()
  return missed
}

/** As a program reads it: line by line, nothing kept. */
async function exportRows(port: number, rows: number): Promise<{ rows: number; text: string }> {
  const started = performance.now()
  const answer = await fetch(`http://127.0.0.1:${port}/logeye/view/api/widgetAPI.jsp`, {
    method: 'POST',
    body: new URLSearchParams({
      widgetId: 'searchAPI',
      searchQuery: '*',
      fixedInterval: 'allData',
      resultFormat: 'json',
      maxNumOfRecords: String(rows),
      timeout: '600000',
      autoLogin: 'true',
      username: READER.user,
      password: READER.password,
    }),
    signal: AbortSignal.timeout(600_000),
  })
  let lines = 0
  let bytes = 0
  let head = ''
  for await (const part of answer.body ?? []) {
    bytes += part.length
    if (head.length < 300) head += Buffer.from(part).toString('latin1')
    for (const byte of part) if (byte === 10) lines += 1
  }
  if (head.startsWith('<')) return { rows: 0, text: `refused: ${head.slice(0, 300)}` }
  const seconds = (performance.now() - started) / 1000
  const text = `${lines} rows, ${(bytes / MIB).toFixed(0)} MiB in ${seconds.toFixed(1)} s`
  return { rows: lines, text }
}

async function wantTooMuch(ours: OurClient, port: number): Promise<string[]> {
  const others = new OurClient(port, READER)
  let isOver = false
  let asked = 0
  const failed: string[] = []
  const besides = (async () => {
    while (!isOver) {
      asked += 1
      await others.search('deadline').catch((error: unknown) => failed.push(String(error)))
    }
  })()
  // A group for each event, and each of them distinct.
  const greedy = await ours.text('* | distinct count trace_id | group by trace_id', 'all')
  isOver = true
  await besides
  others.close()
  const message = /<Message[^>]*>([\s\S]*?)<\/Message>/.exec(greedy)?.[1] ?? greedy.slice(0, 200)
  const text = `a search that wants too much memory: ${message}; ${asked} beside it, ${failed.length} of them failed`
  console.log(text)
  return message.includes('5:') && failed.length === 0 ? [] : [text]
}
