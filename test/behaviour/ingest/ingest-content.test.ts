// Content that breaks careless programs is taken and found as it was sent (decisions 2.1, 3.7,
// 3.8).
import { afterAll, describe, expect, it } from 'vitest'
import { expectSuccess, makeGoodRequests, post } from '../../support/clients/ingest-client.ts'
import { makeWord, search, searchUntil, sendEvents } from '../../support/clients/product-client.ts'

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

const good = makeGoodRequests()
afterAll(good.expectFound)

describe('strange content is taken and found as it was sent', () => {
  const cases: [string, (word: string) => Buffer | string, Record<string, string>][] = [
    [
      'invalid UTF-8',
      (word) =>
        Buffer.concat([
          Buffer.from(`{"message":"${word}","b":"x`),
          Buffer.from([0xff, 0xfe, 0x79, 0xc3]),
          Buffer.from('"}'),
        ]),
      { b: 'x\ufffd\ufffdy\ufffd' },
    ],
    [
      'lone surrogates',
      (word) => `{"message":"${word}","b":"x\\ud800y\\udc00"}`,
      { b: 'x\ufffdy\ufffd' },
    ],
    ['a surrogate pair', (word) => `{"message":"${word}","b":"\\ud83d\\ude00"}`, { b: '😀' }],
    ['NUL', (word) => `{"message":"${word}","b":"x\\u0000y"}`, { b: 'x\ufffdy' }],
    [
      '__proto__',
      (word) => `{"message":"${word}","__proto__":{"x":1},"constructor":"c","toString":"t"}`,
      { '__proto__.x': '1', constructor: 'c', toString: 't' },
    ],
    ['1e400', (word) => `{"message":"${word}","b":1e400,"c":-1e400}`, { b: '1e400', c: '-1e400' }],
    [
      'numbers of 30 digits',
      (word) => `{"message":"${word}","b":123456789012345678901234567890,"c":-0.10}`,
      { b: '123456789012345678901234567890', c: '-0.10' },
    ],
    ['double keys', (word) => `{"message":"${word}","b":1,"b":"two"}`, { b: 'two' }],
    ['an empty key', (word) => `{"message":"${word}","":1,"a":{"":"y"}}`, {}],
    [
      'dots in keys',
      (word) => `{"message":"${word}","a.b":1,"c":{"d.e":2}}`,
      { 'a.b': '1', 'c.d.e': '2' },
    ],
    ['a text of 200 KiB', (word) => `{"message":"${word}","b":"${'ö '.repeat(50_000)}"}`, {}],
    ['depth 32', (word) => `{"message":"${word}","a":${nested(31)}}`, {}],
  ]
  it.each(cases)('%s', async (_, make, columns) => {
    const word = makeWord('strange')
    const bytes = Buffer.from(make(word))
    expectSuccess(await post(bytes), 1)
    const { rows } = await searchUntil(1, { searchQuery: word })
    expect(rows[0]).toMatchObject({ message: word, ...columns })
    const raw = await searchUntil(1, { searchQuery: `${word} | display only raw, size` })
    expect(raw.rows).toEqual([{ raw: bytes.toString('utf8'), size: String(bytes.length) }])
    await good.send()
  })

  it('numbers are compared by value, exactly to 38 digits', async () => {
    const word = makeWord('number')
    await sendEvents(`{"message":"${word}","b":123456789012345678901234567890,"c":1e400,"d":1.10}`)
    await searchUntil(1, { searchQuery: word })
    const finds = async (test: string) =>
      (await search({ searchQuery: `${word} ${test}`, fixedInterval: 'allData' })).numberOfResults
    expect(await finds('b = 123456789012345678901234567890')).toBe(1)
    expect(await finds('b = 123456789012345678901234567891')).toBe(0)
    expect(await finds('b > 123456789012345678901234567889')).toBe(1)
    expect(await finds('c > 1e300')).toBe(1)
    expect(await finds('d = 1.1')).toBe(1)
  })
})

describe('times', () => {
  it.each([['1901-01-01T00:00:00Z'], ['2200-01-01T00:00:00Z'], ['0000-00-00'], ['soon']])(
    'that cannot be, as %s, give way to the time of receipt and stay as a column',
    async (time) => {
      const word = makeWord('time')
      const startMs = Date.now()
      await sendEvents({ message: word, timestamp: time })
      const { rows } = await searchUntil(1, {
        searchQuery: `${word} | list timestamp, column.timestamp as told`,
      })
      const ms = Date.parse(`${rows[0]?.timestamp}Z`)
      expect(ms).toBeGreaterThanOrEqual(startMs)
      expect(ms).toBeLessThanOrEqual(Date.now())
      expect(rows[0]?.told).toBe(time)
      await good.send()
    },
  )

  it('that cannot be give way to the next one that can', async () => {
    const word = makeWord('time')
    await sendEvents({ message: word, timestamp: '1901-01-01T00:00:00Z', ts: 1_600_000_000.25 })
    const { rows } = await searchUntil(1, { searchQuery: word })
    expect(rows[0]?.timestamp).toBe('09/13/2020 12:26:40.250')
  })

  it('of 200 days in one request are each found on their day', async () => {
    const word = makeWord('days')
    const day = (n: number) => new Date(Date.UTC(1970, 0, 2) + n * 97 * 86_400_000).toISOString()
    const events = Array.from({ length: 200 }, (_, n) => ({
      message: `${word} d${n}`,
      timestamp: day(n),
    }))
    expectSuccess(await post(JSON.stringify(events)), 200)
    await searchUntil(200, { searchQuery: word, maxNumOfRecords: 1000 })
    for (const n of [0, 57, 199]) {
      const found = await search({
        searchQuery: word,
        startTimeFullStr: day(n),
        endTimeFullStr: day(n),
      })
      expect(found.rows.map((row) => row.message)).toEqual([`${word} d${n}`])
    }
    await good.send()
  })
})
