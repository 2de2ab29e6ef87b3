// Repeats, receipts and debug=1 (decisions 2.4, 2.5, 2.7). Over kill -9 and restarts:
// own-product/kills.test.ts.
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
import { SOON } from '../../support/run/patience.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

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
})

describe('a receipt', () => {
  it('says durable at once and stored when a search finds the event', async () => {
    const word = makeWord('receipt')
    const answer = await post(`{"message":"${word}"}`)
    const receipt = String(answer.body?.receipt)
    await waitUntil('the receipt says stored', async () => {
      const { status, body } = await ask({ token: defaultToken(), receipt })
      expect([status, body]).toEqual([200, expect.objectContaining({ durable: true })])
      return body.stored === true
    })
    const found = await search({ searchQuery: word, fixedInterval: 'allData' })
    expect(found.numberOfResults).toBe(1)
  })

  it('that is forged, damaged, missing or of another account is refused', async () => {
    const token = defaultToken()
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
