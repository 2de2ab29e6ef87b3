// Every parameter of a search, wrong in each way: HTTP 200, state Fail, code 1, message `1:
// <parameter>: <reason>` (decision 4.3).
import { describe, expect, it } from 'vitest'
import {
  admin,
  callSearch,
  productUrl,
  readAnswer,
  search,
} from '../../support/clients/product-client.ts'

const TIMES = { startTimeFullStr: '01/01/2026 00:00:00', endTimeFullStr: '01/02/2026 00:00:00' }
const NUMBERS = [
  '',
  ' ',
  '-1',
  '+5',
  '1.5',
  '1e3',
  ' 5',
  '0x10',
  'ten',
  '١٢',
  '5;',
  '5 OR 1=1',
  'NaN',
]
const MOMENTS = [
  ...['', 'now', '01/01/2026', '1/1/2026 00:00:00', '13/01/2026 00:00:00', '02/30/2026 00:00:00'],
  ...['02/29/2025 00:00:00', '01/01/2026 24:00:01', '01/01/2026 00:60:00', '01/01/26 00:00:00'],
  ...[
    '2026-02-30',
    '2026-13-01T00:00:00Z',
    '2026-01-01T25:00:00Z',
    '01/01/2026 00:00:00 x',
    '\u0000',
  ],
]
const twice = (value: string) => [value, value]

const WRONG: Readonly<Record<string, readonly (string | readonly string[])[]>> = {
  widgetId: ['', 'searchapi', 'searchAPI ', 'other', twice('searchAPI')],
  searchQuery: ['a'.repeat(32_769), twice('*')],
  fixedInterval: [
    '',
    'LAST7DAYS',
    'last7days',
    'allData ',
    'last0Days',
    'last2Months',
    twice('allData'),
  ],
  maxNumOfRecords: [...NUMBERS, '0', '1000001', '9'.repeat(30), twice('5')],
  resultFormat: ['', 'XML', 'Csv', 'JSON', 'csv-Plain', 'csvplain', 'xml ', twice('xml')],
  paginate: ['', 'TRUE', '1', 'yes', 'true ', twice('true')],
  token: ['', 'x', 'x'.repeat(32), 'x'.repeat(5000), '../x', '\u0000', twice('x')],
  maxRecordsPerPage: [...NUMBERS, '0', '10001', twice('5')],
  timeout: [...NUMBERS, twice('5000')],
  abortOn: [...NUMBERS, twice('5')],
  searchId: ['', 'x'.repeat(65), '😀'.repeat(65), twice('x')],
}

describe.each(Object.entries(WRONG))('%s', (name, values) => {
  it.each(values.map((value) => [typeof value === 'string' ? value.slice(0, 30) : 'twice', value]))(
    'as "%s" is refused',
    async (_, value) => {
      const parameters = new URLSearchParams({ widgetId: 'searchAPI', searchQuery: '*' })
      parameters.delete(name)
      for (const one of typeof value === 'string' ? [value] : value) parameters.append(name, one)
      await expectRefused(parameters, name)
    },
  )
})

describe('times', () => {
  it.each(MOMENTS)('"%s" is refused at either end', async (moment) => {
    for (const name of ['startTimeFullStr', 'endTimeFullStr'])
      await expectRefused(
        { widgetId: 'searchAPI', searchQuery: '*', ...TIMES, [name]: moment },
        name,
      )
  })

  it.each(['startTimeFullStr', 'endTimeFullStr'] as const)(
    '%s alone or twice is refused',
    async (name) => {
      const other = name === 'startTimeFullStr' ? 'endTimeFullStr' : 'startTimeFullStr'
      await expectRefused({ widgetId: 'searchAPI', searchQuery: '*', [name]: TIMES[name] }, other)
      const pairs = new URLSearchParams({ widgetId: 'searchAPI', searchQuery: '*', ...TIMES })
      pairs.append(name, TIMES[name])
      await expectRefused(pairs, name)
    },
  )

  it('beside a fixed interval are refused, one or both', async () => {
    const { startTimeFullStr, endTimeFullStr } = TIMES
    const both: readonly Readonly<Record<string, string>>[] = [
      TIMES,
      { startTimeFullStr },
      { endTimeFullStr },
    ]
    for (const times of both)
      await expectRefused(
        { widgetId: 'searchAPI', searchQuery: '*', fixedInterval: 'allData', ...times },
        'fixedInterval',
      )
  })

  it('in the wrong order are refused, equal ones are not', async () => {
    const swapped = {
      startTimeFullStr: TIMES.endTimeFullStr,
      endTimeFullStr: TIMES.startTimeFullStr,
    }
    await expectRefused({ widgetId: 'searchAPI', searchQuery: '*', ...swapped }, 'endTimeFullStr')
    const equal = { ...TIMES, endTimeFullStr: TIMES.startTimeFullStr }
    expect((await search({ searchQuery: '*', ...equal })).state).toBe('OK')
  })

  it.each([
    'last15Minutes',
    ...['last30Minutes', 'last60Minutes', 'last3Hours', 'last12Hours', 'last24Hours', 'last7Days'],
    ...['last14Days', 'last1Months', 'last6Months', 'currentDay', 'previousDay', 'currentWeek'],
    ...['previousWeek', 'allData'],
  ])('%s is an interval', async (fixedInterval) => {
    expect((await search({ searchQuery: '*', fixedInterval })).state).toBe('OK')
  })
})

describe('what is missing or strange', () => {
  it('is named: widgetId, searchQuery, searchId of a cancel', async () => {
    await expectRefused({ searchQuery: '*' }, 'widgetId')
    await expectRefused({ widgetId: 'searchAPI' }, 'searchQuery')
    await expectRefused({ widgetId: 'cancelSearch' }, 'searchId')
    await expectRefused({ widgetId: 'cancelSearch', searchId: '' }, 'searchId')
  })

  it('is ignored where it is unknown', async () => {
    const answer = await search({ searchQuery: '*', nothing: 1, WIDGETID: 'x', 'a[]': 2 })
    expect(answer.state).toBe('OK')
  })

  it('is a limit that is clamped: timeout', async () => {
    expect((await search({ searchQuery: '*', timeout: '9'.repeat(30) })).state).toBe('OK')
    expect([0, 3]).toContain((await search({ searchQuery: '*', timeout: 0 })).code)
  })

  it('is an empty query, which finds everything', async () => {
    expect((await search({ searchQuery: '' })).state).toBe('OK')
  })

  it('is a parameter both in the address and in the form', async () => {
    const credentials = `autoLogin=true&username=admin&password=${admin().password}`
    const answer = await fetch(
      `${productUrl()}/logeye/view/api/widgetAPI.jsp?searchQuery=*&${credentials}`,
      {
        method: 'POST',
        body: new URLSearchParams({ widgetId: 'searchAPI', searchQuery: '*' }),
      },
    )
    expect(readAnswer(answer.status, await answer.text(), false)).toMatchObject({
      code: 1,
      message: '1: searchQuery: given more than once',
    })
  })

  it.each(['%', '%zz', '%ff%fe', '%00', '%ed%a0%80', '&&==&'])(
    'is an escape: %s',
    async (query) => {
      const credentials = `autoLogin=true&username=admin&password=${admin().password}`
      const answer = await fetch(
        `${productUrl()}/logeye/view/api/widgetAPI.jsp?widgetId=searchAPI&searchQuery=${query}&${credentials}`,
      )
      const read = readAnswer(answer.status, await answer.text(), false)
      expect(read.httpStatus).toBe(200)
      expect(read.message).not.toContain('internal')
    },
  )

  it.each(['PUT', 'DELETE', 'PATCH'])('is the method %s', async (method) => {
    const answer = await fetch(`${productUrl()}/logeye/view/api/widgetAPI.jsp`, { method })
    expect([404, 405]).toContain(answer.status)
  })
})

async function expectRefused(
  fields: URLSearchParams | Readonly<Record<string, string>>,
  parameter: string,
): Promise<void> {
  const parameters = new URLSearchParams(fields)
  for (const method of ['GET', 'POST'] as const) {
    const answer = await callSearch(parameters, { method })
    const read = readAnswer(answer.status, await answer.text(), false)
    expect(read, `${method} ${parameters.toString().slice(0, 200)}`).toMatchObject({
      ...{ httpStatus: 200, state: 'Fail', token: '', numberOfResults: 0, code: 1, rows: [] },
      message: expect.stringMatching(new RegExp(`^1: ${parameter}: .+`)),
    })
  }
}
