import { expect, it } from 'vitest'
import { sayCron } from '../../../web/console/parts/say-cron.ts'

it.each([
  ['* * * * *', 'every minute'],
  ['*/15 * * * *', 'every 15 minutes'],
  ['5 * * * *', 'every hour, 5 minutes past'],
  ['0 6 * * *', 'every day at 06:00'],
  ['30 7 * * 1', 'every Monday at 07:30'],
  ['0 7 * * 7', 'every Sunday at 07:00'],
  ['0 2  * * 0', 'every Sunday at 02:00'],
  ['0 6 1 * *', 'on day 1 of each month at 06:00'],
  ['*/7 * * * *', 'by the schedule */7 * * * *'],
  ['0 6 1 * 1', 'by the schedule 0 6 1 * 1'],
  ['0 6 * 3 1', 'by the schedule 0 6 * 3 1'],
  ['0 6 * * 1-5', 'by the schedule 0 6 * * 1-5'],
  ['@daily', 'by the schedule @daily'],
])('%s is %s', (cron, words) => {
  expect(sayCron(cron)).toBe(words)
})
