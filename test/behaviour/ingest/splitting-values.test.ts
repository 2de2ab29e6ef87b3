// Message, time and columns: what `debug=1` says is what a search shows afterwards (decisions
// 3.6-3.8).
import { describe, expect, it } from 'vitest'
import { expectAsExplained } from '../../support/clients/explained-place.ts'

describe('the message (decision 3.6)', () => {
  it.each<
    [string, Readonly<Record<string, string>>, (word: string) => object, (word: string) => string]
  >([
    ['is message', {}, (word) => ({ msg: 'm', message: word }), (word) => word],
    ['is else msg', {}, (word) => ({ log: 'l', msg: word }), (word) => word],
    ['is else log', {}, (word) => ({ event: 'e', log: word }), (word) => word],
    ['is else event', {}, (word) => ({ x: 'x', event: word }), (word) => word],
    ['is else the whole', {}, (word) => ({ x: word, y: 1 }), (word) => `{"x":"${word}","y":1}`],
    [
      'is the key of the account',
      { messageKeys: 'text' },
      (word) => ({ message: 'm', text: word }),
      (word) => word,
    ],
    [
      'is the first of its keys',
      { messageKeys: 'a,b' },
      (word) => ({ b: word, a: 'x' }),
      () => 'x',
    ],
    ['may be nested', { messageKeys: 'a.b' }, (word) => ({ a: { b: word } }), (word) => word],
    ['may be a number', {}, (word) => ({ message: 1.1, x: word }), () => '1.1'],
  ])('%s', async (_, account, make, message) => {
    let word = ''
    const { rows } = await expectAsExplained({ account }, (given) => {
      word = given
      return make(given)
    })
    expect(rows[0]?.message).toBe(message(word))
  })
})

describe('the time (decision 3.7)', () => {
  it.each<[string, Readonly<Record<string, string>>, object, string]>([
    [
      'ISO 8601 with zone',
      {},
      { timestamp: '2026-03-01T10:00:00+02:00' },
      '2026-03-01T08:00:00.000Z',
    ],
    [
      'ISO 8601 with nine digits',
      {},
      { timestamp: '2026-03-01T10:00:00.123456789Z' },
      '2026-03-01T10:00:00.123456789Z',
    ],
    [
      'ISO 8601 without zone',
      {},
      { '@timestamp': '2026-03-01 10:00:00,5' },
      '2026-03-01T10:00:00.500Z',
    ],
    [
      'without zone, in that of the account',
      { timeZone: 'Asia/Tokyo' },
      { time: '2026-03-01T10:00:00' },
      '2026-03-01T01:00:00.000Z',
    ],
    ['RFC 2822', {}, { date: 'Sun, 01 Mar 2026 10:00:00 +0100' }, '2026-03-01T09:00:00.000Z'],
    ['seconds', {}, { ts: 1_772_359_200 }, '2026-03-01T10:00:00.000Z'],
    ['seconds with a fraction', {}, { ts: 1_772_359_200.25 }, '2026-03-01T10:00:00.250Z'],
    ['milliseconds', {}, { ts: 1_772_359_200_123 }, '2026-03-01T10:00:00.123Z'],
    ['microseconds', {}, { ts: 1_772_359_200_123_456 }, '2026-03-01T10:00:00.123456Z'],
    ['nanoseconds as text', {}, { ts: '1772359200123456789' }, '2026-03-01T10:00:00.123456789Z'],
    ['of eventTime', {}, { eventTime: '2026-03-01T10:00:00Z' }, '2026-03-01T10:00:00.000Z'],
    [
      'of the key of the account first',
      { timeKey: 'when' },
      { when: '2026-03-01T10:00:00Z', timestamp: 1 },
      '2026-03-01T10:00:00.000Z',
    ],
    [
      'of a nested key',
      { timeKey: 'a.when' },
      { a: { when: '2026-03-01T10:00:00Z' } },
      '2026-03-01T10:00:00.000Z',
    ],
    [
      'of the next key when one cannot be read',
      {},
      { timestamp: 'x', time: '2026-03-01T10:00:00Z' },
      '2026-03-01T10:00:00.000Z',
    ],
  ])('%s', async (_, account, event, time) => {
    const { explained } = await expectAsExplained({ account }, (word) => ({
      message: word,
      ...event,
    }))
    expect(Date.parse(explained[0]?.time ?? '')).toBe(Date.parse(time))
    expect(explained[0]?.time.replace(/\.?0*Z$/, 'Z')).toBe(time.replace(/\.?0*Z$/, 'Z'))
  })

  it.each([36, -1])(
    'is that of receipt when it lies %d hours ahead for more than a day',
    async (hours) => {
      const before = Date.now()
      const time = new Date(before + hours * 3_600_000).toISOString()
      const { explained } = await expectAsExplained({}, (word) => ({
        message: word,
        timestamp: time,
      }))
      if (hours > 24) {
        const receivedMs = Date.parse(explained[0]?.time ?? '')
        expect(receivedMs).toBeGreaterThanOrEqual(before)
        expect(receivedMs).toBeLessThanOrEqual(Date.now())
        expect(explained[0]?.columns).toEqual({ 'original timestamp': time })
      } else {
        expect(Date.parse(explained[0]?.time ?? '')).toBe(Date.parse(time))
        expect(explained[0]?.columns).toEqual({})
      }
    },
  )
})

describe('columns (decision 3.8)', () => {
  const event = {
    a: { b: { c: { d: { e: 1 } }, c2: 'x' } },
    list: [1, 'two', null],
    t: true,
    n: null,
  }
  it.each<[string, Readonly<Record<string, string>>]>([
    ['0', {}],
    ['1', { a: '{"b":{"c":{"d":{"e":1}},"c2":"x"}}', list: '[1,"two",null]', t: 'true' }],
    ['2', { 'a.b': '{"c":{"d":{"e":1}},"c2":"x"}', list: '[1,"two",null]', t: 'true' }],
    ['3', { 'a.b.c': '{"d":{"e":1}}', 'a.b.c2': 'x', list: '[1,"two",null]', t: 'true' }],
    ['5', { 'a.b.c.d.e': '1', 'a.b.c2': 'x', list: '[1,"two",null]', t: 'true' }],
  ])('to parsing level %s', async (jsonParsingLevel, expected) => {
    const { explained } = await expectAsExplained({ account: { jsonParsingLevel } }, (word) => ({
      message: word,
      ...event,
    }))
    const given = Object.entries(explained[0]?.columns ?? {}).filter(([, value]) => value !== '')
    expect(Object.fromEntries(given)).toEqual(expected)
  })

  it('keep the text of their values', async () => {
    const { explained } = await expectAsExplained(
      {},
      (word) =>
        `{"message":"${word}","n":1.10,"m":1E400,"o":-0,"p":"1.10","s":" x ","u":"\\u00e9\\n"}`,
    )
    expect(explained[0]?.columns).toEqual({
      n: '1.10',
      m: '1E400',
      o: '-0',
      p: '1.10',
      s: ' x ',
      u: 'é\n',
    })
  })

  it('are not made of what gave message, time and host, nor of reserved keys', async () => {
    const { explained } = await expectAsExplained(
      { account: { splitColumns: 'env->dev*' } },
      (word) => ({
        ...{ message: word, timestamp: '2026-03-01T10:00:00Z', env: 'e', dev: 'd' },
        ...{ productPath: 'p', productName: 'n', productType: 't', x: 1 },
      }),
    )
    expect(explained[0]?.columns).toEqual({ env: 'e', x: '1' })
  })
})
