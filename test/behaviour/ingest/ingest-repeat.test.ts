// Repeats, receipts and debug=1 (decisions 2.4, 2.5, 2.7), also over kill -9 and restarts of a
// product of this file's own.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  defaultToken,
  expectSuccess,
  openSocket,
  post,
} from '../../support/clients/ingest-client.ts'
import {
  makeWord,
  productUrl,
  sdk,
  search,
  searchUntil,
} from '../../support/clients/product-client.ts'
import { makeSearchClient } from '../../support/clients/search-client.ts'
import { type Product, startProduct, waitUntilUrlReady } from '../../support/product/product.ts'
import { SOON } from '../../support/run/patience.ts'

describe('a repeat', () => {
  it('with the same key at the same time, in any number, is stored once', async () => {
    const word = makeWord('repeat')
    const headers = { 'idempotency-key': makeWord('key') }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(`{"message":"${word}"}`, { headers })),
    )
    for (const answer of answers) expectSuccess(answer, 1)
    await expectStored(word, 1)
    expectSuccess(await post(`{"message":"${word}"}`, { headers }), 1)
    await expectStored(word, 1)
  })

  it('is another request when the body, the key or the account is another', async () => {
    const word = makeWord('repeat')
    const key = makeWord('key')
    const { token } = await sdk('addListener', { name: makeWord('account') })
    const send = (body: string, idempotencyKey: string, options = {}) =>
      post(body, { headers: { 'idempotency-key': idempotencyKey }, ...options })
    expectSuccess(await send(`{"message":"${word}"}`, key), 1)
    expectSuccess(await send(`{"message":"${word}" }`, key), 1)
    expectSuccess(await send(`{"message":"${word}"}`, `${key}2`), 1)
    expectSuccess(await send(`{"message":"${word}"}`, key, { token: String(token) }), 1)
    await expectStored(word, 4)
  })

  it('of a long or strange key works as well', async () => {
    const word = makeWord('repeat')
    for (const key of ['k'.repeat(5000), `"quoted' ${word}"`, '{}']) {
      const headers = { 'idempotency-key': `${key}${word}` }
      for (let n = 0; n < 2; n += 1)
        expectSuccess(await post(`{"message":"${word}"}`, { headers }), 1)
    }
    await expectStored(word, 3)
  })

  it('behind two requests in one packet is stored once, whether they were answered or cut off', async () => {
    const word = makeWord('repeat')
    const key = makeWord('key')
    const body = `{"message":"${word}"}`
    const path = `/logeye/api/logger.jsp?token=${encodeURIComponent(defaultToken())}`
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nIdempotency-Key: ${key}\r\n`
    const request = `${head}Content-Length: ${body.length}\r\n\r\n${body}`
    const socket = await openSocket()
    let text = ''
    let isCut = false
    socket.on('data', (data) => {
      text += data.toString()
    })
    socket.on('close', () => {
      isCut = true
    })
    socket.write(request + request)
    await expect.poll(() => isCut || text.split('HTTP/1.1 200').length === 3, SOON).toBe(true)
    socket.destroy()
    expectSuccess(await post(body, { headers: { 'idempotency-key': key } }), 1)
    await expectStored(word, 1)
  })

  it('without a key is stored again', async () => {
    const word = makeWord('repeat')
    for (let n = 0; n < 2; n += 1) expectSuccess(await post(`{"message":"${word}"}`), 1)
    await expectStored(word, 2)
  })

  it('is stored once over kill -9 of each process and over a restart', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'logeye-repeat-'))
    let product = await startProduct({ dataDir })
    const { secrets } = product
    try {
      const word = makeWord('repeat')
      await sendTo(product, word)
      for (const { role, pid } of product.processes()) {
        process.kill(pid, 'SIGKILL')
        await waitUntilUrlReady(product.url)
        await sendTo(product, word)
        expect(await countIn(product, word), `after kill -9 of ${role}`).toBe(1)
      }
      await product.stop()
      product = await startProduct({ dataDir, secrets })
      await sendTo(product, word)
      expect(await countIn(product, word), 'after a restart').toBe(1)
      await sendTo(product, `${word} last`)
      expect(await countIn(product, `${word} last`)).toBe(1)
      expect(await countIn(product, word)).toBe(2)
    } finally {
      await product.killAll()
      rmSync(dataDir, { recursive: true, force: true })
    }
  })
})

describe('a receipt', () => {
  it('says durable at once and stored when a search finds the event', async () => {
    const word = makeWord('receipt')
    const answer = await post(`{"message":"${word}"}`)
    const receipt = String(answer.body?.receipt)
    for (let n = 0; n < 200; n += 1) {
      const { status, body } = await ask({ token: process.env.LOGEYE_TEST_TOKEN ?? '', receipt })
      expect(status).toBe(200)
      expect(body).toMatchObject({ durable: true })
      if (body.stored !== true) {
        await sleep(50)
        continue
      }
      const found = await search({ searchQuery: word, fixedInterval: 'allData' })
      expect(found.numberOfResults).toBe(1)
      return
    }
    throw new Error('never stored')
  })

  it('that is forged, damaged, missing or of another account is refused', async () => {
    const token = process.env.LOGEYE_TEST_TOKEN ?? ''
    const other = String((await sdk('addListener', { name: makeWord('account') })).token)
    const receipt = String((await post('{}')).body?.receipt)
    const [partition, offset, signature] = receipt.split('-')
    const refused = { status: 400, body: { code: 6, text: 'the receipt is not valid' } }
    for (const bad of [
      `${partition}-${Number(offset) + 1}-${signature}`,
      `${partition}-${offset}-${'0'.repeat(32)}`,
      `${receipt}0`,
      receipt.slice(0, -1),
      receipt.toUpperCase() === receipt ? `x${receipt}` : receipt.toUpperCase(),
      '',
      `${receipt}' OR 1=1`,
    ])
      expect(await ask({ token, receipt: bad }), bad).toMatchObject(refused)
    expect(await ask({ token: other, receipt })).toMatchObject(refused)
    expect(await ask({ token: 'x', receipt })).toMatchObject({ status: 400, body: { code: 4 } })
  })
})

describe('debug=1', () => {
  it('stores nothing and makes nothing', async () => {
    const word = makeWord('debug')
    const answer = await post(
      `{"message":"${word}","productName":"log ${word}","column${word}":1}`,
      {
        parameters: { debug: '1' },
      },
    )
    expect(answer).toMatchObject({ status: 200, body: { code: 0, received: 1, accepted: 1 } })
    expect(answer.body).not.toHaveProperty('receipt')
    const marker = makeWord('marker')
    await post(`{"message":"${marker}"}`)
    await searchUntil(1, { searchQuery: marker })
    await expectStored(word, 0)
    // The column is not known: asked for as two words, it finds nothing to compare.
    const listed = await search({
      searchQuery: `* in log."log ${word}" | count`,
      fixedInterval: 'allData',
    })
    expect(listed.rows).toEqual([{ count: '0' }])
  })
})

async function expectStored(word: string, count: number): Promise<void> {
  const marker = makeWord('marker')
  // Events of one sender stay in order: what came before the marker has been judged when the marker
  // is found.
  expectSuccess(await post(`{"message":"${marker}"}`), 1)
  await searchUntil(1, { searchQuery: marker })
  const found = await search({ searchQuery: word, fixedInterval: 'allData' })
  expect(found.numberOfResults).toBe(count)
}

async function ask(parameters: Readonly<Record<string, string>>) {
  const answer = await fetch(
    `${productUrl()}/logeye/api/receipt.jsp?${new URLSearchParams(parameters)}`,
  )
  const body: Record<string, unknown> = JSON.parse(await answer.text())
  return { status: answer.status, body }
}

async function sendTo(product: Product, text: string): Promise<void> {
  const deadline = Date.now() + 20_000
  for (;;) {
    const answer = await fetch(
      `${product.url}/logeye/api/logger.jsp?token=${product.secrets.token}`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': `key of ${text}` },
        body: JSON.stringify({ message: text }),
      },
    ).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.status === 200) return
    if (Date.now() > deadline) throw new Error(`answered ${answer?.status}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** After a marker, as in expectStored. */
async function countIn(product: Product, text: string): Promise<number> {
  const client = makeSearchClient(product.url, product.secrets.password)
  const marker = makeWord('marker')
  await sendTo(product, marker)
  const deadline = Date.now() + 20_000
  while ((await client.count(marker).catch(() => 0)) !== 1) {
    if (Date.now() > deadline) throw new Error('the marker was not found')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return client.count(`"${text}"`)
}
