import { expect, test } from 'vitest'
import { sortRows } from '../../../web/shared/sort/sort.ts'
import { rankOfAmount, rankOfTime } from '../../../web/workspace/parts/ranks.ts'

test('amounts stand by what they are worth, not by their digits', () => {
  const amounts = ['9.5', '1345.222918462844', '-20', '100', '0']
  expect(sortRows(amounts, (one) => rankOfAmount(one, 'EUR'), false)).toEqual([
    ...['-20', '0', '9.5', '100', '1345.222918462844'],
  ])
})

test('amounts of several currencies stand by currency, and each by amount', () => {
  const rows = ['USD 9', 'EUR 100', 'USD 100', 'EUR 9']
  const rankOf = (row: string) => rankOfAmount(row.slice(4), row.slice(0, 3))
  expect(sortRows(rows, rankOf, false)).toEqual(['EUR 9', 'EUR 100', 'USD 9', 'USD 100'])
  expect(sortRows(rows, rankOf, true)).toEqual(['EUR 100', 'EUR 9', 'USD 100', 'USD 9'])
})

test('moments stand by time, and what has none last either way', () => {
  const [early, late] = ['2026-09-30T23:59:59.000Z', '2026-10-01T00:00:00Z']
  for (const isDown of [false, true])
    expect(sortRows([null, late, early], rankOfTime, isDown)).toEqual(
      isDown ? [late, early, null] : [early, late, null],
    )
})
