import { expect, test } from 'vitest'
import { sayCron } from '../../../../web/console/manage/parts/say-cron.ts'

test.each([
  ['0 2 * * 0', 'Sundays at 02:00'],
  ['30 22 * * 7', 'Sundays at 22:30'],
  ['5 4 * * *', 'daily at 04:05'],
  ['0 * * * *', 'each hour at :00'],
  ['0 6 1 * *', 'on day 1 of each month at 06:00'],
  ['*/5 * * * *', undefined],
  ['0 6 1 * 1', undefined],
  ['0 6 * 3 1', undefined],
])('the cron %s in words is %s', (cron, told) => {
  expect(sayCron(cron)).toBe(told)
})
