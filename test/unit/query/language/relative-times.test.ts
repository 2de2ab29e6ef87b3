// Times told from now in a query: what they are compiled to, and what is refused
// (search-language#relative-times).
import { describe, expect, it } from 'vitest'
import { checkTimes } from '../../../../query/language/check/check-times.ts'
import { compileSearch } from '../../../../query/language/compile-search.ts'
import { readQuery } from '../../../../query/language/read-query.ts'
import type { SearchInput } from '../../../../query/language/search-input.ts'
import { parseParameters } from '../../../../query/search/parameters.ts'
import { isFailure } from '../../../../schemas/failures.ts'
import { compileDateFormat } from '../../../../schemas/time/date-format.ts'
import { UNIT_LIST } from '../../../../schemas/time/time-unit.ts'
import { timeZone } from '../../../../schemas/time/time-zone.ts'
import { SAMPLE_COLUMNS, SAMPLE_LOGS } from '../../../support/data/sample-logs.ts'

const DATE_FORMAT = 'MM/dd/yyyy HH:mm:ss'

const ALL: SearchInput['window'] = { startMs: null, endMs: null }

function compile(text: string, nowMs: number, zone: string, window = ALL) {
  return compileSearch({
    text,
    visibleLogs: SAMPLE_LOGS,
    columns: SAMPLE_COLUMNS,
    window,
    dateFormat: DATE_FORMAT,
    timeZone: zone,
    nowMs,
    maxRows: 100,
  })
}

function warningsIn(text: string, nowMs: number, window: SearchInput['window']) {
  const { query } = readQuery({ text, visibleLogs: SAMPLE_LOGS, columns: SAMPLE_COLUMNS })
  return checkTimes(query, { window, nowMs, dateFormat: DATE_FORMAT, timeZone: 'UTC' })
}

/** The only moment among the parameters of a query over all times. */
function momentOf(text: string, nowMs: number, zone: string): number {
  const moments = Object.values(compile(text, nowMs, zone).params).filter(
    (value) => typeof value === 'string' && /^\d{19}$/.test(value),
  )
  expect(moments).toHaveLength(1)
  return Number(BigInt(String(moments[0])) / 1_000_000n)
}

function startOf(text: string, nowMs: number, zone: string): number | null {
  const pairs: [string, string][] = [
    ['widgetId', 'searchAPI'],
    ['searchQuery', '*'],
    ['startTime', text],
    ['endTime', '+10y'],
    ['timeZone', zone],
  ]
  const limits = { defaultMaxNumOfRecords: 100, maxResults: 100, defaultTimeoutMs: 1 }
  const dateFormat = compileDateFormat(DATE_FORMAT)
  const rules = { nowMs, zone: timeZone('UTC'), dateFormat, maxTimeoutMs: 1, ...limits }
  const call = parseParameters(pairs, rules)
  return call.kind === 'search' ? call.window.startMs : null
}

describe('the same text is the same instant in call and query', () => {
  const texts = ['-2h', 'now-5m', '-1d', '-1d@d', '@w', '-1M@M', '@y+8h', '-PT2H', 'P1DT2H', 'now']
  const moments = ['2026-03-29T01:30:00.250Z', '2026-10-25T01:15:00Z', '2028-02-29T23:59:59.999Z']
  it.each(['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu'])('in %s', (zone) => {
    for (const nowMs of moments.map((text) => Date.parse(text))) {
      for (const text of texts) {
        const start = startOf(text, nowMs, zone)
        for (const query of [`timestamp >= ${text}`, `timestamp > "${text}"`])
          expect([query, momentOf(query, nowMs, zone)]).toEqual([query, start])
      }
      for (const [query, text] of [
        ['in last 2 hours', '-2h'],
        ['in last 3 months', '-3M'],
        ['in last week', '-1w'],
        ['timestamp > now - 1 d @ d + 8 hours', '-1d@d+8h'],
        ['* | where timestamp < now - 90 seconds', '-90s'],
      ] as const)
        expect([query, momentOf(query, nowMs, zone)]).toEqual([query, startOf(text, nowMs, zone)])
    }
  })
})

describe('a query is refused', () => {
  const length = `a length is expected, such as in last 2 hours; units are ${UNIT_LIST}; quote "last" to search the words`
  it.each([
    ['in last 2 hors', 9, length],
    ['in last 2', 9, length],
    ['in last 0 hours', 9, length],
    ['error in last 5 attempts', 15, length],
    ['error in last 1h in last 2h', 18, 'in last stands here already'],
    [
      'error in log.orders in last 1h in last 2h',
      32,
      'and, or, | or the end is expected after a scope',
    ],
    ['error not in last 2 hours', 11, 'what is older is found with timestamp < now - 2h'],
    [
      '* | where error in last 2h',
      17,
      'in last stands only before the first |; write timestamp > now - 2h',
    ],
    ['timestamp > now - 2x', 13, `a time is expected: unknown unit 'x'; units are ${UNIT_LIST}`],
    ['timestamp > -2x', 13, `a time is expected: unknown unit 'x'; units are ${UNIT_LIST}`],
    [
      'timestamp > now -',
      13,
      `a time is expected: '-' is not understood: write -2h, now-5m or -1d@d, with the units ${UNIT_LIST}`,
    ],
    [
      'Status > now - 2h',
      10,
      'now-2h is a time, and this column holds none; quote it to compare text',
    ],
    ['timestamp = now*', 13, 'a time has no wildcards'],
  ])('%s', (text, position, reason) => {
    try {
      compile(text, 0, 'UTC')
    } catch (error) {
      if (!isFailure(error)) throw error
      expect(error.details).toMatchObject({ position, reason })
      return
    }
    throw new Error('accepted')
  })
})

describe('a time before the window of the call', () => {
  const nowMs = Date.parse('2026-11-16T12:00:00Z')
  const window = { startMs: nowMs - 86_400_000, endMs: nowMs }
  const warningsOf = (text: string) => warningsIn(text, nowMs, window)

  it.each([
    ['error in last 3 days', 7, '-3days'],
    ['timestamp > now - 2d', 13, 'now-2d'],
    ['timestamp between 2026-11-14 and now error', 19, '2026-11-14'],
  ])('warns: %s', (text, position, said) => {
    const message = `the window of the call begins later, at 2026-11-15T12:00:00.000Z: what is older is not searched; give the call startTime=${said} or a longer interval`
    expect(warningsOf(text)).toEqual([{ code: 'query.outside_window', message, position }])
  })

  it.each(['in last 24 hours', 'in last 2h', 'timestamp < now - 2d', 'not (in last 3 days)'])(
    'is nothing to warn of: %s',
    (text) => {
      expect(warningsOf(text)).toEqual([])
    },
  )
})
