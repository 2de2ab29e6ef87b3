import { describe, expect, test } from 'vitest'
import {
  nextSort,
  type Rank,
  readSort,
  sortBy,
  sortRows,
  writeSort,
} from '../../../web/shared/sort/sort.ts'

const order = (ranks: readonly Rank[], isDown = false) => sortRows(ranks, (rank) => rank, isDown)

describe('the order of rows', () => {
  test('numbers by size, and what is empty last either way', () => {
    expect(order([10, null, 9, -1])).toEqual([-1, 9, 10, null])
    expect(order([10, null, 9, -1], true)).toEqual([10, 9, -1, null])
  })

  test('texts without regard to case, numbers in them by size', () => {
    expect(order(['web10', 'Web9', 'app'])).toEqual(['app', 'Web9', 'web10'])
  })

  test('numbers before texts', () => {
    expect(order(['a', 2, 'b', 1])).toEqual([1, 2, 'a', 'b'])
    expect(order(['a', 2, 'b', 1], true)).toEqual(['b', 'a', 2, 1])
  })

  test('equal ones keep their order', () => {
    const rows = [
      { at: 1, id: 'a' },
      { at: 0, id: 'b' },
      { at: 1, id: 'c' },
    ]
    for (const isDown of [false, true]) {
      const ids = sortRows(rows, ({ at }) => at, isDown).map(({ id }) => id)
      expect(ids.indexOf('a')).toBeLessThan(ids.indexOf('c'))
    }
  })

  test('a column that the table does not have changes nothing', () => {
    const rows = [{ n: 2 }, { n: 1 }]
    const ranks = { n: ({ n }: { n: number }) => n }
    expect(sortBy(rows, ranks, { column: 'other', isDown: false })).toEqual(rows)
    expect(sortBy(rows, ranks, undefined)).toEqual(rows)
    for (const column of ['__proto__', 'constructor', 'toString'])
      expect(sortBy(rows, ranks, { column, isDown: true })).toEqual(rows)
    expect(sortBy(rows, ranks, { column: 'n', isDown: false })).toEqual([{ n: 1 }, { n: 2 }])
  })
})

test('clicks on a head: one way, the other, none; another head begins anew', () => {
  const first = nextSort(undefined, 'count', true)
  expect(first).toEqual({ column: 'count', isDown: true })
  const second = nextSort(first, 'count', true)
  expect(second).toEqual({ column: 'count', isDown: false })
  expect(nextSort(second, 'count', true)).toBeUndefined()
  expect(nextSort(second, 'name', false)).toEqual({ column: 'name', isDown: false })
})

test('the address has it, and gives it again', () => {
  for (const text of ['', 'name', '-count']) expect(writeSort(readSort(text))).toBe(text)
  expect(readSort('-')).toBeUndefined()
})
