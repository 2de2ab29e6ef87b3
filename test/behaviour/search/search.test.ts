import { beforeAll, describe, expect, it } from 'vitest'
import { FIXED_INTERVALS } from '../../../schemas/time/time-window.ts'
import {
  admin,
  callSearch,
  makeWord,
  productUrl,
  readAnswer,
  search,
  searchUntil,
  sendEvents,
} from '../../support/clients/product-client.ts'

const CODE_1 = (message: string) => ({
  httpStatus: 200,
  state: 'Fail',
  code: 1,
  message: `1: ${message}`,
})

describe('a simple search', () => {
  const word = makeWord()
  const log = `access ${word}`
  const HOSTILE =
    'a ]]> b "quoted", and\nline \r\n end \u0000\u0001 \ufffe مرحبا \u202e 😀 <x>&amp;'

  beforeAll(async () => {
    await sendEvents(
      [
        { message: `${word} first`, Status: 200, 'Bytes Sent': 1.5, n: '1.10', productName: log },
        { message: `${word} second`, user: 'ann', nested: { deep: true }, productName: log },
        { message: `${word} ${HOSTILE}`, 'odd, "name"': HOSTILE, productName: log },
      ].map((event, index) => ({ ...event, timestamp: `2026-11-20T10:00:0${index}.${index}00Z` })),
      { hostName: 'web-01' },
    )
    await searchUntil(3, { searchQuery: word })
  })

  const fields = {
    searchQuery: word,
    startTimeFullStr: '2026-11-20T10:00:00Z',
    endTimeFullStr: '2026-11-20T10:00:05Z',
  }

  it.each(['xml', 'csv'])(
    'gives the newest first, with all columns, as %s',
    async (resultFormat) => {
      const answer = await search({ ...fields, resultFormat })
      expect([answer.state, answer.token, answer.numberOfResults]).toEqual(['OK', '', 3])
      expect(answer.columns.slice(0, 6)).toEqual([
        'timestamp',
        'log',
        'folder',
        'host',
        'source',
        'message',
      ])
      expect(answer.rows.map((row) => row.message?.split(' ')[1])).toEqual(['a', 'second', 'first'])
      expect(answer.rows[1]).toMatchObject({
        user: 'ann',
        'nested.deep': 'true',
        log,
        host: 'web-01',
      })
      expect(answer.rows[2]).toMatchObject({
        Status: '200',
        'Bytes Sent': '1.5',
        n: '1.10',
        user: '',
      })
    },
  )

  it('carries hostile text in both formats, what XML cannot carry as U+FFFD', async () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
    const expected = HOSTILE.replace(/[\u0000\u0001\ufffe]/g, '\ufffd')
    for (const resultFormat of ['xml', 'csv']) {
      const answer = await search({ ...fields, resultFormat })
      expect(answer.rows[0]?.message).toBe(`${word} ${expected}`)
      expect(answer.rows[0]?.['odd, "name"']).toBe(expected)
    }
  })

  it('has the document that decision 4.2 describes', async () => {
    const answer = await callSearch({ ...fields, maxNumOfRecords: 1, searchQuery: `${word} first` })
    expect(answer.headers.get('content-type')).toBe('application/xml; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(await answer.text()).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\s*<APIResult>\s*<Status state="OK" token="" numberOfResults="1"\s*\/>\s*<Data><Row><Cell name="timestamp">/,
    )
  })

  it('cuts at maxNumOfRecords and counts what it gives', async () => {
    const answer = await search({ ...fields, maxNumOfRecords: 2 })
    expect([answer.numberOfResults, answer.rows.length]).toEqual([2, 2])
  })

  it('compares abortOn with the whole result, before maxNumOfRecords cuts it', async () => {
    expect(await search({ ...fields, maxNumOfRecords: 1, abortOn: 2 })).toMatchObject({
      httpStatus: 200,
      state: 'Fail',
      code: 2,
      message: '2: the search gives more than 2 results',
      rows: [],
    })
    expect(await search({ ...fields, maxNumOfRecords: 1, abortOn: 3 })).toMatchObject({
      state: 'OK',
      numberOfResults: 1,
    })
  })

  it('takes both ends of explicit times, the end second included', async () => {
    const between = (start: string, end: string) =>
      search({ searchQuery: word, startTimeFullStr: start, endTimeFullStr: end })
    const count = async (start: string, end: string) => (await between(start, end)).numberOfResults
    expect(await count('2026-11-20T10:00:00Z', '2026-11-20T10:00:00Z')).toBe(1)
    expect(await count('2026-11-20T10:00:00Z', '2026-11-20T10:00:01Z')).toBe(2)
    expect(await count('2026-11-20T10:00:00Z', '2026-11-20T10:00:01.099Z')).toBe(1)
    expect(await count('2026-11-20T10:00:03Z', '2026-11-20T10:00:09Z')).toBe(0)
  })

  it('gives no rows, and the columns, for a word that is nowhere', async () => {
    const answer = await search({
      searchQuery: makeWord(),
      fixedInterval: 'allData',
      resultFormat: 'csv',
    })
    expect([answer.state, answer.numberOfResults]).toEqual(['OK', 0])
    expect(answer.columns).toEqual(['timestamp', 'log', 'folder', 'host', 'source', 'message'])
  })

  it('shows raw byte for byte where it is asked for', async () => {
    const event = `{ "message" : "${word}raw", "n":1.0,"n":2e400 ,"u":"\\u00e9" }`
    await sendEvents(event)
    const answer = await searchUntil(1, { searchQuery: `${word}raw | display only raw, size` })
    expect(answer.rows).toEqual([{ raw: event, size: String(event.length) }])
  })
})

describe('groups of everything', () => {
  const word = makeWord()

  beforeAll(async () => {
    const levels = ['Warn', 'INFO', 'WARN', 'warn', 'INFO']
    const events = levels.map((level, second) => ({
      message: word,
      level,
      color: 'red',
      timestamp: `2026-11-19T10:00:0${second}Z`,
    }))
    await sendEvents(events)
    await searchUntil(levels.length, { searchQuery: word })
  })

  it('are spelled as in the first row where equal keys are spelled in several ways, and where not', async () => {
    const groups = async (by: string) => {
      const searchQuery = `${word} | count | group by ${by}`
      const { rows } = await search({ searchQuery, fixedInterval: 'allData' })
      return rows.map((row) => Object.values(row))
    }
    // The newest row comes first.
    expect(await groups('level')).toEqual([
      ['warn', '3'],
      ['INFO', '2'],
    ])
    expect(await groups('color')).toEqual([['red', '5']])
    expect(await groups('color, level')).toEqual([
      ['red', 'warn', '3'],
      ['red', 'INFO', '2'],
    ])
  })
})

describe('a long query', () => {
  const word = makeWord()
  const query = `${word} OR ${'x'.repeat(10)} `
    .padEnd(32_000, ' OR nothing')
    .slice(0, 31_990)
    .replace(/ \w*$/, ' nothing')

  it.each(['GET', 'POST'] as const)('of 32,000 characters works by %s', async (method) => {
    await sendEvents({ message: `${word} ${method}` })
    await searchUntil(1, { searchQuery: `${word} ${method}` })
    const answer = await search({ searchQuery: query.trim(), fixedInterval: 'allData' }, { method })
    expect(answer.message).toBe('')
    expect(answer.numberOfResults).toBeGreaterThan(0)
  })

  it('is refused above 32,768 characters', async () => {
    const answer = await search({ searchQuery: 'a'.repeat(32_769) }, { method: 'POST' })
    expect(answer).toMatchObject(CODE_1('searchQuery: longer than 32768 characters'))
  })
})

describe('wrong parameters', () => {
  it.each([
    [{ widgetId: 'other' }, 'widgetId: must be searchAPI or cancelSearch'],
    [
      { fixedInterval: 'lastCentury' },
      `fixedInterval: unknown interval; known are ${FIXED_INTERVALS.join(', ')}`,
    ],
    [
      { fixedInterval: 'allData', endTimeFullStr: '2026-01-01' },
      'fixedInterval: not together with startTimeFullStr or endTimeFullStr',
    ],
    [{ startTimeFullStr: '2026-01-01' }, 'endTimeFullStr: missing beside startTimeFullStr'],
    [{ endTimeFullStr: '2026-01-01' }, 'startTimeFullStr: missing beside endTimeFullStr'],
    [
      { startTimeFullStr: '2026-01-02', endTimeFullStr: '2026-01-01' },
      'endTimeFullStr: before startTimeFullStr',
    ],
    [
      { startTimeFullStr: 'x', endTimeFullStr: '2026-01-01' },
      'startTimeFullStr: must be a time as MM/dd/yyyy HH:mm:ss or ISO 8601',
    ],
    [{ maxNumOfRecords: 0 }, 'maxNumOfRecords: must be from 1 to 1000000'],
    [{ maxNumOfRecords: 1_000_001 }, 'maxNumOfRecords: must be from 1 to 1000000'],
    [{ maxNumOfRecords: 'ten' }, 'maxNumOfRecords: must be a whole number'],
    [{ resultFormat: 'CSV' }, 'resultFormat: must be xml, csv, json or csv-plain'],
    [{ paginate: 'True' }, 'paginate: must be true or false'],
    [{ token: 'abc' }, 'token: unknown or expired, or another call reads its page now'],
    [{ timeout: 'soon' }, 'timeout: must be a whole number'],
    [{ abortOn: '1.5' }, 'abortOn: must be a whole number'],
    [{ searchId: 'x'.repeat(65) }, 'searchId: must have 1 to 64 characters'],
  ])('%j', async (fields, message) => {
    expect(await search({ searchQuery: '*', ...fields })).toMatchObject(CODE_1(message))
  })

  it('refuses a parameter that is given twice', async () => {
    const pairs = new URLSearchParams('widgetId=searchAPI&searchQuery=*&timeout=5&timeout=5')
    const answer = await callSearch(pairs)
    expect(readAnswer(answer.status, await answer.text(), false)).toMatchObject(
      CODE_1('timeout: given more than once'),
    )
  })

  it('asks for the query', async () => {
    expect(await search({})).toMatchObject(CODE_1('searchQuery: missing'))
  })

  it('says where a query is wrong', async () => {
    const answer = await search({ searchQuery: '(a OR b' })
    expect(answer).toMatchObject({ httpStatus: 200, state: 'Fail', code: 1 })
    expect(answer.message).toMatch(/^1: query error at \d+: /)
  })
})

describe('sign-in of a search', () => {
  const refused = {
    httpStatus: 401,
    state: 'Fail',
    code: 1,
    message: '1: sign-in failed',
    rows: [],
  }

  it('is needed', async () => {
    expect(await search({ searchQuery: '*' }, { user: null })).toMatchObject(refused)
    const { password } = admin()
    const { searchParams } = new URL('http://x')
    for (const [name, value] of [
      ['widgetId', 'searchAPI'],
      ['searchQuery', '*'],
      ['username', 'admin'],
      ['password', password],
    ] as const)
      searchParams.set(name, value)
    const answer = await callSearch(searchParams, { user: null })
    expect(readAnswer(answer.status, await answer.text(), false)).toMatchObject(refused)
  })

  it('does not tell a wrong password from an unknown user', async () => {
    const unknown = await search(
      { searchQuery: '*' },
      { user: { name: makeWord(), password: 'x' } },
    )
    const wrong = await search(
      { searchQuery: '*' },
      { user: { name: 'admin', password: makeWord() } },
    )
    expect(unknown).toMatchObject(refused)
    expect(wrong).toEqual(unknown)
  })

  it('serves 200 calls with passwords at once', async () => {
    const word = makeWord()
    await search({ searchQuery: word })
    // Parameters are looked at after sign-in: this is 200 sign-ins.
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => callSearch({ searchQuery: word, timeout: 'x' })),
    )
    for (const answer of answers) await answer.text()
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200))
  })
})

describe('the end of a search', () => {
  it('comes with code 3 when its time is over', async () => {
    expect(await search({ searchQuery: '*', fixedInterval: 'allData', timeout: 1 })).toMatchObject({
      httpStatus: 200,
      state: 'Fail',
      code: 3,
      message: '3: the search ran longer than 1 ms',
    })
  })

  it('is not there to cancel when no such search runs', async () => {
    expect(await search({ widgetId: 'cancelSearch', searchId: makeWord() })).toMatchObject(
      CODE_1('no running search or page token of this name: it may have ended'),
    )
  })

  it('leaves the product whole when many clients go away in the middle', async () => {
    const calls = Array.from({ length: 30 }, async (_, index) => {
      const stop = new AbortController()
      const answer = callSearch(
        { searchQuery: '*', fixedInterval: 'allData' },
        { signal: stop.signal },
      )
      // While it searches, when it begins to answer, and in the middle of the answer.
      if (index % 3 > 0) {
        const reader = (await answer).body?.getReader()
        if (index % 3 > 1) await reader?.read()
      } else await (await fetch(`${productUrl()}/logeye/health/ready`)).arrayBuffer()
      stop.abort()
      await answer
    })
    await Promise.allSettled(calls)
    expect((await search({ searchQuery: '*' })).state).toBe('OK')
  })
})
