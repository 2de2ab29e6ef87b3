import { expect, test } from 'vitest'
import { sortRows } from '../../../web/shared/sort/sort.ts'
import { rankOfAmount, rankOfTime } from '../../../web/workspace/parts/ranks.ts'

test('amounts stand by what they are worth, not by their digits', () => {
  const amounts = ['9.5', '1345.222918462844', '-20', '100', '0']
  expect(sortRows(amounts, rankOfAmount, false)).toEqual([
    ...['-20', '0', '9.5', '100', '1345.222918462844'],
  ])
})

test('moments stand by time, and what has none last either way', () => {
  const [early, late] = ['2026-09-30T23:59:59.000Z', '2026-10-01T00:00:00Z']
  for (const isDown of [false, true])
    expect(sortRows([null, late, early], rankOfTime, isDown)).toEqual(
      isDown ? [late, early, null] : [early, late, null],
    )
})
