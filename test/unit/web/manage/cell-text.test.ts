import { describe, expect, test } from 'vitest'
import { cellText } from '../../../../web/console/manage/objects/cell-text.ts'

describe('a cell of a list', () => {
  test.each([
    ['storageDays', '', 'for ever'],
    ['storageDays', '1', '1 day'],
    ['storageDays', '400', '400 days'],
    ['storageMaxBytes', '', 'no limit'],
    ['storageMaxBytes', '10737418240', '10 GiB'],
    ['operations', '*', 'everything'],
    ['operations', '', 'view folders and logs'],
    ['logTypes', 'nginx,webserver,error', 'nginx, webserver, error'],
    ['cron', '0 2 * * 0', 'every Sunday at 02:00'],
    ['cron', '', 'never'],
    ['description', '', ''],
  ])('of %s %s says %s', (column, value, told) => {
    expect(cellText(column, value).text).toBe(told)
  })

  test('leaves code as it is', () => {
    expect(cellText('query', '* | count by a,b')).toEqual({
      ...{ text: '* | count by a,b', isSoft: false, isCode: true },
    })
  })
})
