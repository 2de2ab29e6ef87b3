// A result of 300 MB through Url and through the exports: every row in its place, and memory that
// stays flat in every process.
//   npx tsx loadtest/large-results.ts [--rows 1000000]
import { parseArgs } from 'node:util'
import {
  call,
  fetchFile,
  ingestNumbered,
  type ReadResult,
  readNumbered,
  waitStored,
  watchGrowth,
} from '../test/support/clients/large-results.ts'
import type { Product } from '../test/support/product/product.ts'
import { onFreshProduct } from './support/on-fresh-product.ts'

/** Above it the rows were held. */
const MAX_FRONT_GROWTH_MB = 150

const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } })
const rows = Number(values.rows)

await onFreshProduct('large-results', async (product) => {
  await ingestNumbered(product, rows)
  await waitStored(product, rows)
  const kinds: Readonly<Record<string, () => Promise<ReadResult>>> = {
    'export json': () => readExport(product, 'json'),
    'export csv-plain': () => readExport(product, 'csv-plain'),
    'file csv': () => readFile(product, 'csv'),
    'file xml': () => readFile(product, 'xml'),
    'pages of 10,000': () => readPages(product),
  }
  const failures: string[] = []
  for (const [name, read] of Object.entries(kinds))
    failures.push(...(await measure(product, name, read)))
  if (failures.length === 0) console.log('flat')
  return failures
})

async function measure(
  product: Product,
  name: string,
  run: () => Promise<ReadResult>,
): Promise<string[]> {
  const { value, growth } = await watchGrowth(product, run)
  const parts = Object.entries(growth).map(
    ([role, { beforeMb, growthMb }]) => `${role} ${beforeMb} + ${growthMb} MiB`,
  )
  const seconds = (value.ms / 1000).toFixed(1)
  console.log(
    `${name}: ${value.rows} rows, ${(value.bytes / 1e6).toFixed(0)} MB in ${seconds} s; ${parts.join(', ')}`,
  )
  return (growth.front?.growthMb ?? 0) > MAX_FRONT_GROWTH_MB
    ? [`${name}: the front grew by more than ${MAX_FRONT_GROWTH_MB} MiB`]
    : []
}

async function readFile(product: Product, format: 'xml' | 'csv'): Promise<ReadResult> {
  const startedMs = performance.now()
  const answer = await call(product, {
    searchQuery: 'numbered',
    resultFormat: format,
    maxNumOfRecords: String(rows),
    timeout: '600000',
  })
  const document = await answer.text()
  const madeMs = performance.now() - startedMs
  const read = await readNumbered(await fetchFile(product, document), rows)
  console.log(`  made in ${(madeMs / 1000).toFixed(1)} s`)
  return read
}

async function readExport(
  product: Product,
  resultFormat: 'json' | 'csv-plain',
): Promise<ReadResult> {
  return await readNumbered(await call(product, { searchQuery: 'numbered', resultFormat }), rows)
}

async function readPages(product: Product): Promise<ReadResult> {
  const startedMs = performance.now()
  const first = { searchQuery: 'numbered', paginate: 'true', maxRecordsPerPage: '10000' }
  let [fields, expected, bytes]: [Record<string, string>, number, number] = [first, rows - 1, 0]
  for (;;) {
    const text = await (await call(product, { timeout: '600000', ...fields })).text()
    const token = /token="([^"]*)"/.exec(text)?.[1] ?? ''
    const page = text.includes('<Url>') ? await (await fetchFile(product, text)).text() : text
    for (const [, n] of page.matchAll(/>numbered (\d+) /g)) {
      if (Number(n) !== expected) throw new Error(`row ${n} instead of ${expected}`)
      expected -= 1
    }
    bytes += page.length
    if (token === '') break
    fields = { token }
  }
  if (expected !== -1) throw new Error(`${expected + 1} rows are missing`)
  return { rows, bytes, ms: performance.now() - startedMs }
}
