// Processes that are killed while a live tail is read and while a sender repeats its request, and a
// client of the tail that does not read. One product for all of it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get as httpGet, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeJsonClient } from '../../support/clients/json-client.ts'
import { makeWord } from '../../support/clients/product-client.ts'
import { makeSearchClient } from '../../support/clients/search-client.ts'
import { type Product, startProduct, waitUntilUrlReady } from '../../support/product/product.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

let product: Product
const dataDir = mkdtempSync(join(tmpdir(), 'logeye-kills-'))

beforeAll(async () => {
  product = await startProduct({ dataDir })
})
afterAll(async () => {
  await product.killAll()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Repeats until it is accepted: the listener may be away. */
async function send(events: readonly object[], idempotencyKey = makeWord('key')): Promise<void> {
  const address = `${product.url}/logeye/api/logger.jsp?token=${product.secrets.token}`
  await waitUntil('the events are accepted', async () => {
    const answer = await fetch(address, {
      method: 'POST',
      body: events.map((event) => JSON.stringify(event)).join('\n'),
      headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    }).catch(() => undefined)
    await answer?.arrayBuffer().catch(() => undefined)
    return answer?.status === 200
  })
}

describe('a live tail', () => {
  const admin = () => ({ name: 'admin', password: product.secrets.password })
  const client = () => makeJsonClient((path, init) => fetch(`${product.url}${path}`, init), admin())
  const numbersOf = (found: readonly { readonly columns: Record<string, string> }[]) =>
    found.map(({ columns }) => Number(columns.n))

  it('shows every matching event of a load once, late ones too, over kill -9 of store and writer', async () => {
    const tail = await client().tail('wanted')
    let next = 0
    const sendBatch = () =>
      send(
        Array.from({ length: 20 }, () => {
          const n = next
          next += 1
          // Every third has a time of its own, long past.
          const late = n % 3 === 0 ? { timestamp: new Date(1_700_000_000_000 + n * 1000) } : {}
          return { message: n % 2 === 0 ? 'wanted' : 'other', n, ...late }
        }),
      )
    for (const roles of [[], ['store'], ['work'], ['store', 'work']]) {
      const pids = await Promise.all(roles.map((role) => product.pidOf(role)))
      for (const pid of pids) process.kill(pid, 'SIGKILL')
      for (let batch = 0; batch < 15; batch += 1) await sendBatch()
      // The events of these batches were taken while the processes were away.
      await waitUntil('the tail shows what came meanwhile', () => tail.events.length >= next / 2)
    }
    // What would be repeated comes before this one.
    await send([{ message: 'wanted last', n: next }])
    await tail.until(next / 2 + 1)
    expect(numbersOf(tail.events)).toEqual([
      ...Array.from({ length: next / 2 }, (_, n) => n * 2),
      next,
    ])
    expect(tail.errors).toEqual([])
    tail.close()
  })

  it('holds nothing for a client that does not read, which then gets everything', async () => {
    const front = await product.pidOf('front')
    const rss = () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${front}/status`, 'utf8'))?.[1]) / 1024
    const { name, password } = admin()
    const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = httpGet(
        `${product.url}/logeye/api/search/tail?query=heavy`,
        { headers: { authorization } },
        resolve,
      )
      request.on('error', reject)
    })
    response.pause()
    const text = 'x'.repeat(100_000)
    const before = rss()
    let highest = before
    for (let n = 0; n < 600; n += 10) {
      await send(Array.from({ length: 10 }, (_, k) => ({ message: `heavy ${text}`, n: n + k })))
      highest = Math.max(highest, rss())
    }
    const { count } = makeSearchClient(product.url, password)
    await waitUntil('a search finds them all', async () => {
      highest = Math.max(highest, rss())
      return (await count('heavy')) === 600
    })
    highest = Math.max(highest, rss())
    // 60 MB of events went in.
    expect(highest - before).toBeLessThan(150)
    let received = ''
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => {
      received += chunk.replaceAll(/x{1000,}/g, '')
    })
    response.resume()
    const numbers = () => [...received.matchAll(/"n":"(\d+)"/g)].map((match) => Number(match[1]))
    await waitUntil('the client has all', () => numbers().length >= 600)
    expect(numbers()).toEqual(Array.from({ length: 600 }, (_, n) => n))
    response.destroy()
  })
})

describe('a repeat with the same key', () => {
  it('is stored once over kill -9 of each process and over a restart', async () => {
    const word = makeWord('repeat')
    const sendKeyed = (text: string) => send([{ message: text }], `key of ${text}`)
    await sendKeyed(word)
    for (const { role, pid } of product.processes()) {
      process.kill(pid, 'SIGKILL')
      await waitUntilUrlReady(product.url)
      await sendKeyed(word)
      expect(await count(word), `after kill -9 of ${role}`).toBe(1)
    }
    const { secrets } = product
    await product.stop()
    product = await startProduct({ dataDir, secrets })
    await sendKeyed(word)
    expect(await count(word), 'after a restart').toBe(1)
    await sendKeyed(`${word} last`)
    expect(await count(`${word} last`)).toBe(1)
    expect(await count(word)).toBe(2)
  })

  /** Events of one sender stay in order: what came before the marker is stored when it is found. */
  async function count(text: string): Promise<number> {
    const client = makeSearchClient(product.url, product.secrets.password)
    const marker = makeWord('marker')
    await send([{ message: marker }])
    await waitUntil('the marker is found', async () => {
      return (await client.count(marker).catch(() => 0)) === 1
    })
    return client.count(`"${text}"`)
  }
})
