// What a later stage may call a column, and what it may not: names of several words are read as one
// column, and nothing warns of a name that the rows have.
import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../../../query/language/parse/parse-query.ts'
import { makeCatalog } from '../../../../query/language/resolve/known-columns.ts'
import { printReading } from '../../../support/cases/print-reading.ts'
import { printTree } from '../../../support/cases/print-tree.ts'
import { SAMPLE_COLUMNS, SAMPLE_LOGS } from '../../../support/data/sample-logs.ts'

const catalog = makeCatalog(SAMPLE_LOGS, SAMPLE_COLUMNS)
const JOINED =
  '* | count as Hits group by User | join [ * | count as Hits, sum Bytes Sent as All bytes group by User ] on User'

describe('a later stage', () => {
  it.each([
    ['* | count distinct User | where count distinct User > 1', 'count distinct User', '> '],
    ['* | count distinct User | where distinct count User > 1', 'distinct count User', '> '],
    ['* | count group by Bytes Sent as K | where Bytes Sent > 1', 'Bytes Sent', '> '],
    [`${JOINED} | where All bytes > 1`, 'All bytes', '> '],
    [`${JOINED} | where Hits_2 > 1 or All bytes exists`, 'All bytes', 'exists'],
    ['* | count as Late (ms) | where Late  (ms) > 1', 'Late (ms)', '> '],
  ])('of %s tests the column %s', (text, name, operator) => {
    expect(printTree(parseQuery(text, catalog))).toContain(`(<${name}> ${operator}`)
  })

  it.each([
    '* | count distinct User | order by count distinct User',
    '* | count group by URL as Page | order by URL',
    '* in log.access | count group by Bytes Sent as K | order by Bytes Sent',
    `${JOINED} | order by All bytes`,
    '* in log.access | display Rate in expression format("column.Status / 100")',
    '* in log.access | display only URL, Text in simple format("column.URL!")',
    '* | count | display Open in query format("* in log.access")',
  ])('of %s is read without a warning', (text) => {
    expect(printReading(text)).toBe('OK')
  })

  it('still warns of a column that a format cannot make', () => {
    expect(printReading('* | display Rate in number format("0")')).toContain(
      "query.unknown_column 13: no log in scope has a column 'Rate'",
    )
  })

  it('still takes several words for a mistake', () => {
    expect(printReading('* | display Error rate in expression format("1")')).toMatch(/^error 13: /)
  })
})

describe('null', () => {
  it.each(['Status between null and 5', 'Status between 1 and null'])(
    'in %s is refused',
    (text) => {
      expect(printReading(text)).toMatch(/^error \d+: null stands only after = and !=$/)
    },
  )
})
