import { expect, it } from 'vitest'
import { saySchedule } from '../../../web/console/dashboards/list/say-schedule.ts'

it.each([
  ['* * * * *', 'every minute'],
  ['*/15 * * * *', 'every 15 minutes'],
  ['5 * * * *', 'every hour, 5 minutes past'],
  ['0 6 * * *', 'every day at 06:00'],
  ['30 7 * * 1', 'every Monday at 07:30'],
  ['0 7 * * 7', 'every Sunday at 07:00'],
  ['*/7 * * * *', 'by the schedule */7 * * * *'],
  ['0 6 1 * *', 'by the schedule 0 6 1 * *'],
  ['0 6 * * 1-5', 'by the schedule 0 6 * * 1-5'],
])('%s is %s', (cron, words) => {
  expect(saySchedule(cron)).toBe(words)
})
