import { expect, test } from 'vitest'
import {
  rateBetween,
  readQuarters,
  readSearches,
} from '../../../../web/console/manage/health/health-rows.ts'

test('quarters of an hour are read by the names of the columns', () => {
  const columns = ['time', 'events', 'volume']
  const rows = [
    ['03/01/2026 12:00:00', '12', '400'],
    ['03/01/2026 12:15:00', '0', '0'],
  ]
  expect(readQuarters({ columns, rows })).toEqual([
    { time: '03/01/2026 12:00:00', events: 12, bytes: 400 },
    { time: '03/01/2026 12:15:00', events: 0, bytes: 0 },
  ])
  expect(readQuarters({ columns, rows: [] })).toEqual([])
})

test('slow searches are read by the names of the columns', () => {
  const columns = ['details.query', 'user', 'max details.durationMs', 'count']
  const rows = [['error | count', 'anna', '1108', '3']]
  expect(readSearches({ columns, rows })).toEqual([
    { query: 'error | count', user: 'anna', ms: 1108, times: 3 },
  ])
})

test('a rate is of two answers of the same start and machine', () => {
  const at = (second: number, received: number, node = 'a') => ({
    ...{ node, asOf: new Date(second * 1000).toISOString() },
    events: { received, rejected: 0, stored: 0 },
  })
  expect(rateBetween(at(10, 100), at(14, 500))).toBe(100)
  expect(rateBetween(at(10, 100), at(14, 100))).toBe(0)
  expect(rateBetween(at(10, 100), at(14, 20))).toBeUndefined()
  expect(rateBetween(at(10, 100), at(10, 100))).toBeUndefined()
  expect(rateBetween(at(10, 100), at(14, 500, 'b'))).toBeUndefined()
})
