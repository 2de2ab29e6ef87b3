import { expect, it } from 'vitest'
import { printTimes } from '../../../../schemas/charts/options/xy-option.ts'

it.each([
  ['a day', '2026-03-01T12:00 2026-03-02T12:00', '12:00, 12:00'],
  ['more than a day', '2026-03-01T00:30 2026-03-02T12:00', '03-01 00:30, 03-02 12:00'],
  ['seconds', '2026-03-01T12:00:00 2026-03-01T12:00:05', '12:00:00, 12:00:05'],
  ['days', '2026-03-01T00:00 2026-03-02T00:00', '03-01, 03-02'],
  ['years', '2025-03-01T00:00 2026-03-02T00:00', '2025-03-01, 2026-03-02'],
  ['one time', '2026-03-01T12:00', '03-01 12:00'],
])('prints no more of a time than tells it apart: %s', (_, times, printed) => {
  const utcMs = times.split(' ').map((time) => Date.parse(`${time}Z`))
  expect(printTimes(utcMs, 'UTC').join(', ')).toBe(printed)
})
