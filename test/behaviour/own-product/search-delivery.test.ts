// Pages, files and exports of a product with two front processes on one port, as a user reads them.
// A product of this file's own: its processes are killed in between.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  call,
  fetchFile,
  ingestNumbered,
  readNumbered,
  waitStored,
  watchGrowth,
} from '../../support/clients/large-results.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { SOON } from '../../support/run/patience.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

const ROWS = 25_000
const LATER = 10_000
/** 80 MB as they are sent. */
const WIDE = { word: 'wide', repeats: 20 }
const WIDE_ROWS = 50_000
/** Who holds them, as rows, text and bytes, grows by 200 and more. */
const FLAT_MIB = 120

let product: Product
const dataDir = mkdtempSync(join(tmpdir(), 'logeye-search-delivery-'))
const environment = { LOGEYE_HTTP_FRONT_PROCESSES: '2' }

beforeAll(async () => {
  product = await startProduct({ dataDir, environment })
  await ingestNumbered(product, ROWS)
  await waitStored(product, ROWS)
  await ingestNumbered(product, WIDE_ROWS, WIDE)
  await waitStored(product, WIDE_ROWS, WIDE.word)
})

afterAll(async () => {
  await product.killAll()
  rmSync(dataDir, { recursive: true, force: true })
})

type Page = { readonly token: string; readonly total: number; readonly numbers: readonly number[] }

async function readPage(fields: Readonly<Record<string, string>>): Promise<Page> {
  const text = await (await call(product, fields)).text()
  if (!text.includes('state="OK"')) throw new Error(text.slice(0, 500))
  const rows = text.includes('<Url>') ? await (await fetchFile(product, text)).text() : text
  return {
    token: /token="([^"]*)"/.exec(text)?.[1] ?? '',
    total: Number(/numberOfResults="(\d+)"/.exec(text)?.[1]),
    numbers: [...rows.matchAll(/>numbered (\d+) /g)].map((match) => Number(match[1])),
  }
}

/** kill -9, and the wait until the supervisor has it back. */
async function killRole(role: string): Promise<void> {
  const killed = product.processes().filter((process) => process.role === role)
  expect(killed.length).toBeGreaterThan(0)
  for (const { pid } of killed) process.kill(pid, 'SIGKILL')
  const isBack = async () => {
    const now = product.processes().filter((process) => process.role === role)
    if (now.length !== killed.length) return false
    if (now.some(({ pid }) => killed.some((one) => one.pid === pid))) return false
    const ready = await fetch(`${product.url}/logeye/health/ready`).catch(() => undefined)
    return ready?.status === 200
  }
  await waitUntil(`${role} is back`, isBack)
}

async function countRunning(): Promise<number> {
  const metrics = await (await fetch(`${product.url}/metrics`)).text()
  const running = [...metrics.matchAll(/^logeye_searches_running\{[^}]*\} (\d+)/gm)]
  expect(running).toHaveLength(2)
  return running.reduce((sum, match) => sum + Number(match[1]), 0)
}

async function restart(): Promise<void> {
  await product.killAll()
  const { secrets, port } = product
  product = await startProduct({ dataDir, environment, secrets, port })
}

describe('a paging over 25,000 rows', () => {
  it('gives each row once in order while its processes are killed and 10,000 events arrive', async () => {
    const disturb: Readonly<Record<number, () => Promise<void>>> = {
      2: async () => {
        await ingestNumbered(product, LATER)
        await waitStored(product, ROWS + LATER)
      },
      4: () => killRole('front'),
      6: () => killRole('store'),
      8: restart,
    }
    const query = { searchQuery: 'numbered', paginate: 'true', maxRecordsPerPage: '2000' }
    let page = await readPage(query)
    const { token } = page
    const read = [...page.numbers]
    let count = 1
    while (page.token !== '' && count < 100) {
      await disturb[count]?.()
      page = await readPage({ token })
      expect([page.total, page.token === '' || page.token === token]).toEqual([ROWS, true])
      read.push(...page.numbers)
      count += 1
    }
    expect(page).toEqual({ token: '', total: ROWS, numbers: [] })
    expect(count).toBe(14)
    expect(read).toEqual(Array.from({ length: ROWS }, (_, n) => ROWS - 1 - n))
    const after = await (await call(product, { token })).text()
    expect(after).toContain('<Message code="1">1: token: unknown or expired')
  })
})

describe('a result of 80 MB', () => {
  it.each(['json', 'csv-plain'])(
    'is exported as %s, whole, and no process holds it',
    async (resultFormat) => {
      const { growth } = await watchGrowth(product, async () => {
        const answer = await call(product, { searchQuery: WIDE.word, resultFormat })
        // What `fetch` asks for by itself.
        expect(answer.headers.get('content-encoding')).toBe('gzip')
        return await readNumbered(answer, WIDE_ROWS, WIDE.word)
      })
      expect(growth.front?.growthMb).toBeLessThan(FLAT_MIB)
    },
  )

  it.each(['csv', 'xml'])(
    'is a file for who asked, as %s, whole, and no process holds it',
    async (resultFormat) => {
      const fields = { searchQuery: WIDE.word, resultFormat, maxNumOfRecords: String(WIDE_ROWS) }
      const { growth } = await watchGrowth(product, async () => {
        const document = await (await call(product, fields)).text()
        expect(document).toContain(`numberOfResults="${WIDE_ROWS}"`)
        const file = await fetchFile(product, document)
        const { pathname } = new URL(/<Url>(.*)<\/Url>/.exec(document)?.[1] ?? '')
        expect(pathname).toMatch(new RegExp(`^/logeye/results/[\\w-]{32}\\.${resultFormat}$`))
        expect((await fetch(`${product.url}${pathname}`)).status).toBe(401)
        expect(file.headers.get('content-encoding')).toBe('gzip')
        return await readNumbered(file, WIDE_ROWS, WIDE.word)
      })
      expect(growth.front?.growthMb).toBeLessThan(FLAT_MIB)
    },
  )

  it('is exported to a client that goes away, and the store is left with nothing of it', async () => {
    const stop = new AbortController()
    const fields = { searchQuery: WIDE.word, resultFormat: 'json' }
    const answer = await call(product, fields, stop.signal)
    const reader = answer.body?.getReader()
    expect((await reader?.read())?.done).toBe(false)
    stop.abort()
    await waitUntil('no search runs', async () => (await countRunning()) === 0, countRunning)
  })

  it('is cut off when it is cancelled on its way: no client can take it for whole', async () => {
    const fields = { searchQuery: WIDE.word, resultFormat: 'json', searchId: 'on its way' }
    // As it is: compressed it may lie whole in the buffers of the connection.
    const plain = { 'accept-encoding': 'identity' }
    const answer = await call(product, fields, undefined, plain)
    const cancelled = await call(product, { widgetId: 'cancelSearch', searchId: 'on its way' })
    expect(await cancelled.text()).toContain('state="OK"')
    await expect(answer.arrayBuffer()).rejects.toThrow()
  })
})

describe('settings', () => {
  it('are soon in force in every process', async () => {
    const change = async (given: Readonly<Record<string, string>>) => {
      const authorization = `Basic ${Buffer.from(`admin:${product.secrets.password}`).toString('base64')}`
      const answer = await fetch(`${product.url}/logeye/sdk/settings`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(given),
      })
      expect(answer.status).toBe(200)
    }
    const asked = { searchQuery: 'numbered', maxNumOfRecords: '5' }
    // Each call has a connection of its own, so that both processes are asked.
    const areFiles = async () => {
      const calls = Array.from({ length: 12 }, async () =>
        (await (await call(product, asked)).text()).includes('<Url>'),
      )
      return [...new Set(await Promise.all(calls))]
    }
    await change({ set: 'widgets.searchAPI.maxInlineBytes=100' })
    await expect.poll(areFiles, SOON).toEqual([true])
    await change({ reset: 'widgets.searchAPI.maxInlineBytes' })
    await expect.poll(areFiles, SOON).toEqual([false])
  })
})
