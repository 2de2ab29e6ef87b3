import { expect, it } from 'vitest'
import { printAge, printMade, printZone } from '../../../web/shared/format.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')

it.each([
  ['2026-03-01T11:59:30Z', 'just now'],
  ['2026-03-01T12:00:05Z', 'just now'],
  ['2026-03-01T12:00:40Z', 'in a moment'],
  ['2026-03-01T11:59:00Z', '1 minute ago'],
  ['2026-03-01T12:05:00Z', 'in 5 minutes'],
  ['2026-03-01T09:00:00Z', '3 hours ago'],
  ['2026-02-28T06:00:00Z', '30 hours ago'],
  ['2026-03-04T12:00:00Z', 'in 3 days'],
])('%s is %s', (iso, text) => {
  expect(printAge(iso, NOW)).toBe(text)
})

it.each([
  ['count', '4047', '4,047'],
  ['sum Bytes Sent', '3043113', '3,043,113'],
  ['avg duration', '-12345.678', '-12,345.678'],
  ['sum Bytes Sent', '12345678901234567890', '12,345,678,901,234,567,890'],
  ['count', '999', '999'],
  ['max at', '2026-03-01', '2026-03-01'],
  ['order', '88151', '88151'],
  ['counter', '88151', '88151'],
])('a cell of %s with %s is shown as %s', (column, cell, text) => {
  expect(printMade(column, cell)).toBe(text)
})

it('names a zone shortly, as of the season', () => {
  expect(printZone('UTC', '2026-03-01T12:00:00Z')).toBe('UTC')
  expect(printZone('Europe/Berlin', '2026-01-01T12:00:00Z')).toBe('GMT+1')
  expect(printZone('Europe/Berlin', '2026-07-01T12:00:00Z')).toBe('GMT+2')
})
