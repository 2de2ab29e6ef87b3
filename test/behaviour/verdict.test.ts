// The campaigns' judge is itself judged: on a product of its own, with losses, doubles and a wrong counter planted one by one.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isRight, judge } from '../../loadtest/chaos/verdict.ts'
import { type Product, startProduct } from '../../loadtest/support/product.ts'
import { makeSearchClient, type SearchClient } from '../../loadtest/support/search-client.ts'

const EVENTS = 40
const SETTLE_MS = 5000

let product: Product
let search: SearchClient
const dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-verdict-'))
beforeAll(async () => {
  product = await startProduct({ dataDir })
  search = makeSearchClient(product.url, product.secrets.password)
  await send(
    Array.from({ length: EVENTS }, (_, n) => n),
    'first',
  )
})
afterAll(async () => {
  await product.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function send(numbers: readonly number[], key: string): Promise<void> {
  const url = `${product.url}/logeye/api/logger.jsp?token=${product.secrets.token}&hostName=sender0`
  const body = numbers.map((n) => JSON.stringify({ n, message: `event ${n}` })).join('\n')
  const answer = await fetch(url, { method: 'POST', body, headers: { 'Idempotency-Key': key } })
  expect(answer.status).toBe(200)
}

describe('the verdict of a campaign', () => {
  it('is right when each acknowledged event is there once', async () => {
    const verdict = await judge(search, EVENTS, SETTLE_MS)
    const stored = { acknowledged: EVENTS, stored: EVENTS }
    expect(verdict).toEqual({ ...stored, lost: 0, doubled: 0, counterError: 0 })
    expect(isRight(verdict)).toBe(true)
  })

  it('is wrong when an acknowledged event is not there', async () => {
    const verdict = await judge(search, EVENTS + 1, SETTLE_MS)
    expect(verdict).toMatchObject({ lost: 1, doubled: 0, counterError: 0 })
    expect(isRight(verdict)).toBe(false)
  })

  it('is wrong when the ingest counters say another number than there are events', async () => {
    const miscounted: SearchClient = {
      search: async (query, parameters) => {
        const answer = await search.search(query, parameters)
        if (!query.includes('datastream')) return answer
        const at = answer.rows[0]?.indexOf('events') ?? -1
        const [head = [], first = [], ...rest] = answer.rows
        return { ...answer, rows: [head, first.with(at, String(Number(first[at]) + 1)), ...rest] }
      },
      count: (query) => search.count(query),
    }
    const verdict = await judge(miscounted, EVENTS, SETTLE_MS)
    expect(verdict).toMatchObject({ lost: 0, doubled: 0, counterError: 1 })
    expect(isRight(verdict)).toBe(false)
  })

  it('is wrong when an event is there twice, also when the number of all is right', async () => {
    await send([7], 'second')
    await search.count('*')
    const doubled = await judge(search, EVENTS + 1, SETTLE_MS)
    expect(doubled).toMatchObject({ stored: EVENTS + 1, doubled: 1, counterError: 0 })
    expect(isRight(doubled)).toBe(false)
    const beside = await judge(search, EVENTS, SETTLE_MS)
    expect(beside).toMatchObject({ lost: 0, doubled: 1 })
    expect(isRight(beside)).toBe(false)
  })
})
