import { describe, expect, it } from 'vitest'
import { addTest, countBy, printTest } from '../../../web/shared/query/edit-query.ts'
import { markWords, searchedWords } from '../../../web/shared/query/searched-words.ts'
import { splitQuery } from '../../../web/shared/query/split-query.ts'

describe('a click on a value', () => {
  it.each([
    ['', 'level = ERROR'],
    ['*', 'level = ERROR'],
    ['timeout', 'timeout level = ERROR'],
    ['* in log.orders', 'level = ERROR in log.orders'],
    ['timeout in log.orders | count', 'timeout level = ERROR in log.orders | count'],
    ['a or b', '(a or b) level = ERROR'],
    ['a or b in log.x', '(a or b) level = ERROR in log.x'],
    ['a in log.x or b in log.y', '(a in log.x or b in log.y) level = ERROR'],
    ['"a | b"', '"a | b" level = ERROR'],
    ['a not in log.x', 'a level = ERROR not in log.x'],
    ['x in [ * | count | group by y ]', 'x in [ * | count | group by y ] level = ERROR'],
    ['level = ERROR', 'level = ERROR'],
    ['not level = ERROR', 'level = ERROR'],
  ])('makes of %j %j', (query, expected) => {
    expect(addTest(query, 'level = ERROR')).toBe(expected)
  })

  it('excludes, and takes back what was wanted before', () => {
    expect(addTest('a', 'level = ERROR', { isNot: true })).toBe('a not level = ERROR')
    expect(addTest('a level = ERROR', 'level = ERROR', { isNot: true })).toBe('a not level = ERROR')
  })

  it('takes another test for its opposite by its whole words, whatever its value holds', () => {
    const price = printTest('price', 'US$& $$5')
    expect(addTest(`a ${price}`, price, { isNot: true })).toBe(`a not ${price}`)
    expect(addTest('loglevel = WARN level = WARN', 'level = WARN', { isNot: true })).toBe(
      'loglevel = WARN not level = WARN',
    )
  })

  it('quotes what would be read otherwise', () => {
    expect(printTest('duration ms', 'a "b" \\ c')).toBe('"duration ms" = "a \\"b\\" \\\\ c"')
    expect(printTest('time', 'not')).toBe('"time" = "not"')
    expect(printTest('host', '-2h')).toBe('host = "-2h"')
  })

  it('counts what the filter selects', () => {
    expect(countBy('a in log.x | list b', 'c')).toBe(
      'a in log.x | count | group by c | order by count desc',
    )
  })
})

describe('a query', () => {
  it('ends its filter at the first bar outside of quotes and brackets', () => {
    expect(splitQuery('a \\| "b | c" in [x | y] | count | limit 1')).toEqual({
      filter: 'a \\| "b | c" in [x | y]',
      stages: '| count | limit 1',
    })
  })

  it('marks the words that it searches, and no operators', () => {
    const words = searchedWords('time* or "disk full" level = ERROR not x in log.y')
    expect(words).toContain('disk full')
    expect(words).toContain('time')
    expect(words).not.toContain('level')
    expect(markWords('Disk full now', ['disk full'])).toEqual([
      { text: 'Disk full', isMarked: true },
      { text: ' now', isMarked: false },
    ])
  })
})
