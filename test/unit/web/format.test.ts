import { expect, it } from 'vitest'
import { printAge } from '../../../web/shared/format.ts'

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
