// Repeats and receipts (decisions 2.4, 2.7). Over kill -9 and restarts:
// own-product/kills.test.ts.
import { describe, expect, it } from 'vitest'
import { defaultToken, expectSuccess, post } from '../../support/clients/ingest-client.ts'
import { makeWord, productUrl, search, searchUntil } from '../../support/clients/product-client.ts'
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

  it('of a long or strange key works as well', async () => {
    const word = makeWord('repeat')
    for (const key of ['k'.repeat(5000), `"quoted' ${word}"`, '{}']) {
      const headers = { 'idempotency-key': `${key}${word}` }
      for (let n = 0; n < 2; n += 1)
        expectSuccess(await post(`{"message":"${word}"}`, { headers }), 1)
    }
    await expectStored(word, 3)
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
