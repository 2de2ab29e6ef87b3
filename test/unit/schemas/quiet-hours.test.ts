import { expect, it } from 'vitest'
import { isInHours, parseQuietHours } from '../../../schemas/time/quiet-hours.ts'
import { timeZone } from '../../../schemas/time/time-zone.ts'

const hoursOf = (text: string, zone = 'UTC') => {
  const hours = parseQuietHours(text)
  if (hours === 'wrong') return 'wrong'
  return Array.from({ length: 24 }, (_, hour) => hour)
    .filter((hour) => isInHours(hours, Date.UTC(2026, 0, 10, hour, 59, 59), timeZone(zone)))
    .join(' ')
}

it.each([
  ['1-5', '1 2 3 4'],
  ['22-4', '0 1 2 3 22 23'],
  ['22-0', '22 23'],
  ['23-24', '23'],
  ['24-2', '0 1'],
  ['0-24', Array.from({ length: 24 }, (_, hour) => hour).join(' ')],
  ['never', ''],
  ['', 'wrong'],
  ['3', 'wrong'],
  ['3-3', 'wrong'],
  ['0-0', 'wrong'],
  ['24-24', 'wrong'],
  ['24-0', 'wrong'],
  ['1-25', 'wrong'],
  ['-1-5', 'wrong'],
  ['1-5 ', 'wrong'],
])('%s', (text, hours) => {
  expect(hoursOf(text)).toBe(hours)
})

it('are those of the zone', () => {
  expect(hoursOf('1-3', 'Asia/Tokyo')).toBe('16 17')
  expect(hoursOf('1-2', 'America/New_York')).toBe('6')
})
