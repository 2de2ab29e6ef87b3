// The guards against too many logs and columns (decision 3.5), on a product of this file's own with
// small limits.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSearchClient, type SearchClient } from '../../support/clients/search-client.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { SOON } from '../../support/run/patience.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

let product: Product
let client: SearchClient
const dataDir = mkdtempSync(join(tmpdir(), 'logeye-guards-'))

beforeAll(async () => {
  product = await startProduct({
    dataDir,
    environment: { LOGEYE_WRITER_NEW_LOGS_PER_HOUR: '5', LOGEYE_WRITER_COLUMNS_PER_LOG: '10' },
  })
  client = makeSearchClient(product.url, product.secrets.password)
})

afterAll(async () => {
  await product.killAll()
  rmSync(dataDir, { recursive: true, force: true })
})

async function send(
  events: readonly object[],
  debug = '',
): Promise<{ events?: { log: string }[] }> {
  const answer = await fetch(
    `${product.url}/logeye/api/logger.jsp?token=${product.secrets.token}${debug}`,
    {
      method: 'POST',
      body: JSON.stringify(events),
      headers: { 'content-type': 'application/json' },
    },
  )
  expect(answer.status).toBe(200)
  return JSON.parse(await answer.text())
}

async function untilCount(query: string, count: number): Promise<void> {
  const read = () => client.count(query)
  await waitUntil(`${query} counts ${count}`, async () => (await read()) === count, read)
}

describe('more new logs than an hour may have', () => {
  const events = Array.from({ length: 12 }, (_, n) => ({
    ...{ message: `many ${n}`, productName: `log ${n}`, productPath: 'p', word: `w${n}` },
  }))

  it('go to the overflow log, nothing dropped, with their intended path; debug=1 says so', async () => {
    const said = await send(events, '&debug=1')
    await send(events)
    await untilCount('many', events.length)
    const { rows } = await client.search('many | count | group by log, folder')
    const found = new Map(rows.slice(1).map(([log, folder, count]) => [`${folder}->${log}`, count]))
    expect(found.get('Events->Default overflow')).toBe('7')
    expect(found.size).toBe(6)
    const logs = (said.events ?? []).map(({ log }) => log)
    expect(logs.filter((log) => log === 'Default overflow')).toHaveLength(7)
    expect(logs.slice(0, 5)).toEqual(['log 0', 'log 1', 'log 2', 'log 3', 'log 4'])
    // Still found by their words, and by where they were meant to go.
    expect(await client.count('w11 in log."Default overflow"')).toBe(1)
    const overflow = await client.search('w11')
    expect(JSON.stringify(overflow.rows)).toContain('Events->p->log 11')
  })

  it('do not stop events of known logs', async () => {
    await send([{ message: 'known', productName: 'log 3', productPath: 'p' }])
    await untilCount('known in log."Events->p->log 3"', 1)
    expect(await client.count('known in log."Default overflow"')).toBe(0)
  })
})

describe('more columns than a log may have', () => {
  it('are no columns, but words and raw; the first ones stay', async () => {
    const event = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`c${n}`, `v${n}x`]))
    await send([{ message: 'wide', ...event }])
    await untilCount('wide', 1)
    expect(await client.count('wide v29x')).toBe(1)
    const [names = []] = (await client.search('wide')).rows
    expect(names.filter((name) => /^c\d+$/.test(name)).length).toBeLessThanOrEqual(10)
    expect(names).toContain('c0')
    const { rows } = await client.search('wide | display only raw')
    expect(JSON.parse(rows[1]?.[0] ?? '')).toMatchObject(event)
    // An operator learns of it: which log, and how many values.
    const line = /\{.*"message":"a log has too many columns, new names stay searchable as text".*\}/
    await expect.poll(() => line.exec(product.output())?.[0], SOON).toBeDefined()
    expect(JSON.parse(line.exec(product.output())?.[0] ?? '{}')).toMatchObject({
      level: 'warn',
      log: 'Events->Default overflow',
      values: expect.any(Number),
    })
    const countRefused = async () => {
      const metrics = await (await fetch(`${product.url}/metrics`)).text()
      return Number(/^logeye_writer_refused_columns_total\{[^}]*\} (\d+)$/m.exec(metrics)?.[1])
    }
    await expect.poll(countRefused, SOON).toBeGreaterThanOrEqual(20)
  })
})
