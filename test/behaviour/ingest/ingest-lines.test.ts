// Bodies of `Content-Type: text/plain` (decision 2.10).
import { describe, expect, it } from 'vitest'
import { expectSuccess, post } from '../../support/clients/ingest-client.ts'
import { makeWord, searchUntil } from '../../support/clients/product-client.ts'

describe('lines of text', () => {
  it.each(['text/plain', 'Text/Plain ; charset=utf-8'])(
    'the content type %s makes each line an event whose message is the line',
    async (type) => {
      const word = makeWord('line')
      const headers = { 'content-type': type }
      const json = `{"message":"${word} five"}`
      const lines = [
        `${word} one  `,
        '',
        `\t"${word}" two`,
        `${word} three ü\r`,
        `${word} x\u0000y`,
      ]
      const odd = [...Buffer.from(`${word} f`), 0xff, 0x0a]
      const body = Buffer.concat([
        Buffer.from(`${lines.join('\n')}\n\r\n`),
        Buffer.from(odd),
        Buffer.from(json),
      ])
      expectSuccess(await post(body, { headers }), 6)
      const found = await searchUntil(6, {
        searchQuery: `${word} | display only message, raw, size`,
      })
      const sent: [string, number][] = [
        [`${word} one  `, word.length + 6],
        [`\t"${word}" two`, word.length + 7],
        [`${word} three ü`, word.length + 9],
        [`${word} x\ufffdy`, word.length + 4],
        [`${word} f\ufffd`, word.length + 3],
        [json, json.length],
      ]
      const rows = sent.map(([text, size]) => ({ message: text, raw: text, size: String(size) }))
      expect(found.rows.toReversed()).toEqual(rows)
    },
  )

  it('says where lines would go, and stores none of them', async () => {
    const word = makeWord('explained')
    const headers = { 'content-type': 'text/plain' }
    const parameters = { debug: '1', hostName: 'web-7' }
    const answer = await post(`${word}\r\n\n{"a":1}`, { headers, parameters })
    expect(answer.body).toMatchObject({ code: 0, received: 2, accepted: 2, rejected: 0 })
    expect(answer.body?.events).toMatchObject([
      { index: 0, host: 'web-7', columns: {} },
      { index: 1, host: 'web-7', columns: {} },
    ])
  })

  it('refuses lines without a byte, and keeps a line that is too long among the rejected', async () => {
    const headers = { 'content-type': 'text/plain' }
    expect((await post('\n\r\n\n', { headers })).body).toMatchObject({ code: 5, received: 0 })
    const word = makeWord('long')
    const answer = await post(`${word} short\n${word} ${'x'.repeat(1024 * 1024)}`, { headers })
    expect(answer.body).toMatchObject({ code: 0, received: 2, accepted: 1, rejected: 1 })
    expect(answer.body?.errors).toMatchObject([{ index: 1, code: 'too_large' }])
  })
})
