import { describe, expect, it } from 'vitest'
import { type ParameterRules, parseParameters } from '../../../../query/search/parameters.ts'
import { isFailure } from '../../../../schemas/failures.ts'
import { compileDateFormat } from '../../../../schemas/time/date-format.ts'
import { UNIT_LIST } from '../../../../schemas/time/time-unit.ts'
import { FIXED_INTERVALS } from '../../../../schemas/time/time-window.ts'
import { timeZone, UNKNOWN_ZONE } from '../../../../schemas/time/time-zone.ts'

const nowMs = Date.UTC(2026, 10, 20, 12, 0, 0)
const rules: ParameterRules = {
  nowMs,
  zone: timeZone('UTC'),
  dateFormat: compileDateFormat('MM/dd/yyyy HH:mm:ss'),
  defaultMaxNumOfRecords: 100,
  maxResults: 1_000_000,
  defaultTimeoutMs: 60_000,
  maxTimeoutMs: 600_000,
}

const UNKNOWN_INTERVAL = `fixedInterval: unknown interval; known are ${FIXED_INTERVALS.join(', ')}`

const base: [string, string][] = [
  ['widgetId', 'searchAPI'],
  ['searchQuery', '*'],
]

function parse(...pairs: [string, string][]) {
  const given = new Set(pairs.map(([name]) => name))
  return parseParameters([...base.filter(([name]) => !given.has(name)), ...pairs], rules)
}

function refusal(pairs: [string, string][]): string {
  try {
    parseParameters(pairs, rules)
  } catch (error) {
    if (!isFailure(error)) throw error
    expect(error.code).toBe('search.parameter')
    expect(error.entry.search).toBe(1)
    expect(error.entry.status).toBe(200)
    return error.message
  }
  return 'accepted'
}

const told = { tellsAll: false, unknown: [] }

describe('search parameters', () => {
  it('has a default for everything but the query', () => {
    expect(parse()).toEqual({
      kind: 'search',
      query: '*',
      window: { startMs: nowMs - 86_400_000, endMs: nowMs },
      timeZone: 'UTC',
      delivery: { kind: 'inline', format: 'xml' },
      maxRows: 100,
      timeoutMs: 60_000,
      abortOn: undefined,
      searchId: undefined,
      tellsAll: false,
      unknown: [],
    })
  })

  it('keeps the names of parameters that it ignores, and tells all where it is asked to', () => {
    const unknown: [string, string][] = [
      ['maxNumofRecords', '5'],
      ['x', ''],
      ['x', ''],
    ]
    expect(parse(...unknown, ['warnings', 'true'])).toMatchObject({
      maxRows: 100,
      tellsAll: true,
      unknown: ['maxNumofRecords', 'x'],
    })
    expect(parse(['warnings', 'false']).tellsAll).toBe(false)
    expect(parse(['resultFormat', 'json']).tellsAll).toBe(true)
    expect(() => parse(['warnings', 'yes'])).toThrow('warnings: must be true or false')
  })

  it('takes every parameter it knows and ignores the others, also repeated', () => {
    const call = parse(
      ['maxNumOfRecords', '1000000'],
      ['resultFormat', 'csv'],
      ['paginate', 'false'],
      ['maxRecordsPerPage', '10000'],
      ['timeout', '5000'],
      ['abortOn', '0'],
      ['searchId', 'x'.repeat(64)],
      ['autoLogin', 'true'],
      ['other', '1'],
      ['other', '2'],
      ['__proto__', 'x'],
      ['WIDGETID', 'x'],
    )
    expect(call).toMatchObject({
      delivery: { kind: 'inline', format: 'csv' },
      maxRows: 1_000_000,
      timeoutMs: 5000,
      abortOn: 0,
      searchId: 'x'.repeat(64),
    })
  })

  it('includes the end second of explicit times', () => {
    const window = (start: string, end: string) =>
      parse(['startTimeFullStr', start], ['endTimeFullStr', end])
    expect(window('11/20/2026 10:00:00', '11/20/2026 10:00:00')).toMatchObject({
      window: { startMs: Date.UTC(2026, 10, 20, 10), endMs: Date.UTC(2026, 10, 20, 10, 0, 1) },
    })
    expect(window('2026-11-20T10:00:00.250+02:00', '2026-11-20 10:00:00.250')).toMatchObject({
      window: {
        startMs: Date.UTC(2026, 10, 20, 8, 0, 0, 250),
        endMs: Date.UTC(2026, 10, 20, 10, 0, 0, 251),
      },
    })
  })

  it.each([
    ['0', 1],
    ['1', 1],
    ['600001', 600_000],
    ['99999999999999999999999999', 600_000],
  ])('clamps the timeout %s to %i ms', (text, expected) => {
    expect(parse(['timeout', text])).toMatchObject({ timeoutMs: expected })
  })

  it('takes a query of 32,768 characters, counted as code points', () => {
    expect(parse(['searchQuery', '😀'.repeat(32_768)])).toMatchObject({ kind: 'search' })
    expect(refusal([...base.slice(0, 1), ['searchQuery', 'x'.repeat(32_769)]])).toBe(
      'searchQuery: longer than 32768 characters',
    )
  })

  it('takes an empty query', () => {
    expect(parse(['searchQuery', ''])).toMatchObject({ query: '' })
  })

  it.each<[string, [string, string][]]>([
    ['widgetId: missing', [['searchQuery', '*']]],
    [
      'widgetId: must be searchAPI or cancelSearch',
      [
        ['widgetId', 'searchapi'],
        ['searchQuery', '*'],
      ],
    ],
    ['searchQuery: missing', [['widgetId', 'searchAPI']]],
    [UNKNOWN_INTERVAL, [...base, ['fixedInterval', 'last24hours']]],
    [UNKNOWN_INTERVAL, [...base, ['fixedInterval', '']]],
    [UNKNOWN_INTERVAL, [...base, ['fixedInterval', 'toString']]],
    [
      'fixedInterval: not together with startTimeFullStr or endTimeFullStr',
      [...base, ['fixedInterval', 'allData'], ['endTimeFullStr', '2026-11-20']],
    ],
    [
      'fixedInterval: not together with startTimeFullStr or endTimeFullStr',
      [...base, ['fixedInterval', 'allData'], ['startTimeFullStr', '']],
    ],
    [
      'startTimeFullStr: missing beside endTimeFullStr',
      [...base, ['endTimeFullStr', '2026-11-20']],
    ],
    [
      'endTimeFullStr: missing beside startTimeFullStr',
      [...base, ['startTimeFullStr', '2026-11-20']],
    ],
    [
      'startTimeFullStr: must be a time as MM/dd/yyyy HH:mm:ss or ISO 8601',
      [...base, ['startTimeFullStr', '11/20/2026'], ['endTimeFullStr', '2026-11-20']],
    ],
    [
      'endTimeFullStr: must be a time as MM/dd/yyyy HH:mm:ss or ISO 8601',
      [...base, ['startTimeFullStr', '2026-11-20'], ['endTimeFullStr', '02/30/2026 00:00:00']],
    ],
    [
      'endTimeFullStr: before startTimeFullStr',
      [
        ...base,
        ['startTimeFullStr', '11/20/2026 10:00:01'],
        ['endTimeFullStr', '11/20/2026 10:00:00'],
      ],
    ],
    ['maxNumOfRecords: must be from 1 to 1000000', [...base, ['maxNumOfRecords', '0']]],
    ['maxNumOfRecords: must be from 1 to 1000000', [...base, ['maxNumOfRecords', '1000001']]],
    ['maxNumOfRecords: must be from 1 to 1000000', [...base, ['maxNumOfRecords', '9'.repeat(40)]]],
    ['maxNumOfRecords: must be a whole number', [...base, ['maxNumOfRecords', '-1']]],
    ['maxNumOfRecords: must be a whole number', [...base, ['maxNumOfRecords', '1.5']]],
    ['maxNumOfRecords: must be a whole number', [...base, ['maxNumOfRecords', '1e3']]],
    ['maxNumOfRecords: must be a whole number', [...base, ['maxNumOfRecords', ' 1']]],
    ['maxNumOfRecords: must be a whole number', [...base, ['maxNumOfRecords', '']]],
    ['maxNumOfRecords: must be a whole number', [...base, ['maxNumOfRecords', '١']]],
    ['resultFormat: must be xml, csv, json or csv-plain', [...base, ['resultFormat', 'XML']]],
    ['resultFormat: must be xml, csv, json or csv-plain', [...base, ['resultFormat', 'Csv']]],
    ['resultFormat: must be xml, csv, json or csv-plain', [...base, ['resultFormat', '']]],
    ['resultFormat: must be xml, csv, json or csv-plain', [...base, ['resultFormat', 'JSON']]],
    ['resultFormat: must be xml, csv, json or csv-plain', [...base, ['resultFormat', 'csv-Plain']]],
    [
      'paginate: not together with resultFormat json',
      [...base, ['paginate', 'true'], ['resultFormat', 'json']],
    ],
    [
      'maxNumOfRecords: must be at least 1',
      [...base, ['maxNumOfRecords', '0'], ['resultFormat', 'json']],
    ],
    ['paginate: not false together with a token', [...base, ['token', 'x'], ['paginate', 'false']]],
    [
      'resultFormat: must be xml or csv with a token',
      [...base, ['token', 'x'], ['resultFormat', 'json']],
    ],
    [UNKNOWN_INTERVAL, [...base, ['token', 'x'], ['fixedInterval', 'never']]],
    [
      'maxNumOfRecords: must be from 1 to 1000000',
      [...base, ['token', 'x'], ['maxNumOfRecords', '0']],
    ],
    ['abortOn: must be a whole number', [...base, ['token', 'x'], ['abortOn', '-1']]],
    ['paginate: must be true or false', [...base, ['paginate', 'True']]],
    ['token: must not be empty', [...base, ['token', '']]],
    ['maxRecordsPerPage: must be from 1 to 10000', [...base, ['maxRecordsPerPage', '0']]],
    ['maxRecordsPerPage: must be from 1 to 10000', [...base, ['maxRecordsPerPage', '10001']]],
    ['maxRecordsPerPage: must be a whole number', [...base, ['maxRecordsPerPage', 'x']]],
    ['timeout: must be a whole number', [...base, ['timeout', '10s']]],
    ['timeout: must be a whole number', [...base, ['timeout', '-5']]],
    ['abortOn: must be a whole number', [...base, ['abortOn', 'many']]],
    ['searchId: must have 1 to 64 characters', [...base, ['searchId', '']]],
    ['searchId: must have 1 to 64 characters', [...base, ['searchId', 'x'.repeat(65)]]],
    ['searchId: missing', [['widgetId', 'cancelSearch']]],
    [
      'token: not together with searchId',
      [
        ['widgetId', 'cancelSearch'],
        ['token', 'x'],
        ['searchId', 'x'],
      ],
    ],
  ])('answers "%s"', (message, pairs) => {
    expect(refusal(pairs)).toBe(message)
  })

  it.each([
    'widgetId',
    'searchQuery',
    'fixedInterval',
    'startTimeFullStr',
    'endTimeFullStr',
    'maxNumOfRecords',
    'resultFormat',
    'paginate',
    'token',
    'maxRecordsPerPage',
    'timeout',
    'abortOn',
    'searchId',
    'autoLogin',
    'username',
    'password',
  ])('refuses %s given twice, equal or not', (name) => {
    const pairs = base.filter(([known]) => known !== name)
    for (const second of ['1', '2'])
      expect(refusal([...pairs, [name, '1'], [name, second]])).toBe(`${name}: given more than once`)
  })

  it('reads a cancel call', () => {
    const cancel: [string, string] = ['widgetId', 'cancelSearch']
    expect(parse(cancel, ['searchId', 'a'])).toEqual({
      kind: 'cancel',
      by: { searchId: 'a' },
      ...told,
    })
    expect(parse(cancel, ['token', 'b'])).toEqual({
      kind: 'cancel',
      by: { token: 'b' },
      ...told,
    })
  })

  it.each([
    ['startTime', '-2h', '2026-11-20T10:00:00.000Z', '2026-11-20T12:00:00.000Z'],
    ['startTime', '-1d@d', '2026-11-19T00:00:00.000Z', '2026-11-20T12:00:00.000Z'],
    ['startTime', 'PT2H', '2026-11-20T10:00:00.000Z', '2026-11-20T12:00:00.000Z'],
    ['startTime', '11/20/2026 08:00:00', '2026-11-20T08:00:00.000Z', '2026-11-20T12:00:00.000Z'],
  ])('begins at %s=%s and ends now', (name, text, start, end) => {
    const window = { startMs: Date.parse(start), endMs: Date.parse(end) }
    expect(parse([name, text])).toMatchObject({ window })
  })

  it('ends before endTime', () => {
    const both = parse(['startTime', '-1d'], ['endTime', 'now-5m'])
    const window = { startMs: nowMs - 86_400_000, endMs: nowMs - 300_000 }
    expect(both).toMatchObject({ window })
  })

  it('reads times and days in the zone of the call', () => {
    const inBerlin = (...pairs: [string, string][]) =>
      parse(['timeZone', 'europe/berlin'], ...pairs)
    const midnight = Date.parse('2026-11-19T23:00:00Z')
    expect(inBerlin(['startTime', '@d'])).toMatchObject({
      window: { startMs: midnight, endMs: nowMs },
      timeZone: 'Europe/Berlin',
    })
    expect(inBerlin(['fixedInterval', 'currentDay'])).toMatchObject({
      window: { startMs: midnight, endMs: midnight + 86_400_000 },
    })
    expect(inBerlin(['startTime', '2026-11-20T00:00:00'])).toMatchObject({
      window: { startMs: midnight },
    })
  })

  it.each([
    [
      'startTime: not together with fixedInterval',
      ['fixedInterval', 'allData'],
      ['startTime', '-2h'],
    ],
    ['endTime: not together with endTimeFullStr', ['endTimeFullStr', '-2h'], ['endTime', '-2h']],
    ['startTime: missing beside endTime', ['endTime', 'now'], ['abortOn', '1']],
    ['endTime: before startTime', ['startTime', '-2h'], ['endTime', '-3h']],
    ['startTime: after now, and without endTime', ['startTime', '+2h'], ['abortOn', '1']],
    [
      'startTime: write -2h for the time before now, +2h for the time after it',
      ['startTime', '2h'],
      ['abortOn', '1'],
    ],
    [`startTime: unknown unit 'x'; units are ${UNIT_LIST}`, ['startTime', '-2x'], ['abortOn', '1']],
    [
      `startTime: must be a time as MM/dd/yyyy HH:mm:ss or ISO 8601, or told from now, such as -2h, now-5m or -1d@d; units are ${UNIT_LIST}`,
      ['startTime', 'yesterday'],
      ['abortOn', '1'],
    ],
    [`timeZone: ${UNKNOWN_ZONE}`, ['timeZone', 'Europe/Atlantis'], ['startTime', '-2h']],
    [`timeZone: ${UNKNOWN_ZONE}`, ['timeZone', '+02:00'], ['startTime', '-2h']],
    [`timeZone: ${UNKNOWN_ZONE}`, ['timeZone', ''], ['startTime', '-2h']],
  ] as [string, [string, string], [string, string]][])('answers %j', (message, ...pairs) => {
    expect(refusal([...base, ...pairs])).toBe(message)
  })

  it('pages the whole result, a hundred rows a page, or as many as are asked for', () => {
    expect(parse(['paginate', 'true'])).toMatchObject({
      delivery: { kind: 'paged', format: 'xml', pageRows: 100 },
      maxRows: null,
    })
    expect(
      parse(['paginate', 'true'], ['maxRecordsPerPage', '7'], ['maxNumOfRecords', '20']),
    ).toMatchObject({ delivery: { pageRows: 7 }, maxRows: 20 })
  })

  it('exports everything, or as many rows as are asked for, beyond the limit of other answers', () => {
    for (const format of ['json', 'csv-plain']) {
      const delivery = { kind: 'export', format }
      expect(parse(['resultFormat', format])).toMatchObject({ delivery, maxRows: null })
      expect(parse(['resultFormat', format], ['maxNumOfRecords', '2000000'])).toMatchObject({
        delivery,
        maxRows: 2_000_000,
      })
    }
  })

  it('reads the next page by its token, whatever else of the first call is said again', () => {
    const page = { kind: 'page', token: 't', timeoutMs: 60_000, searchId: undefined, ...told }
    expect(parseParameters([...base.slice(0, 1), ['token', 't']], rules)).toEqual({
      ...page,
      format: undefined,
    })
    expect(
      parse(
        ['token', 't'],
        ['paginate', 'true'],
        ['maxRecordsPerPage', '5'],
        ['resultFormat', 'csv'],
      ),
    ).toEqual({ ...page, format: 'csv' })
  })
})
