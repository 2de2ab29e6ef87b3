import { describe, expect, test } from 'vitest'
import { ColumnGuard, type KnownColumns } from '../../../../ingest/writer/batch/log-columns.ts'

const known = (...names: string[]): KnownColumns => new Map(names.map((name) => [name, 1]))

describe('the guard of column names', () => {
  test('admits known names and new ones up to the limit', () => {
    const guard = new ColumnGuard(3, known('a', 'b'))
    expect(['a', 'c', 'd', 'c', 'b'].map((name) => guard.admit(name, 'text'))).toEqual([
      true,
      true,
      false,
      true,
      true,
    ])
  })

  test('names what is new in order of first sight, once a kind', () => {
    const guard = new ColumnGuard(10, known('a'))
    guard.admit('z', 'number')
    guard.admit('a', 'text')
    guard.admit('a', 'bool')
    guard.admit('z', 'number')
    guard.admit('z', 'id')
    expect(guard.newColumns(7)).toEqual([
      { logId: 7, name: 'z', kind: 'number' },
      { logId: 7, name: 'z', kind: 'id' },
      { logId: 7, name: 'a', kind: 'bool' },
    ])
  })

  test('asks for another pass when it had to guess and admitted too many', () => {
    const guessed = new ColumnGuard(3, undefined)
    for (const name of ['a', 'b', 'c']) expect(guessed.admit(name, 'text')).toBe(true)
    expect(guessed.settle(known('a', 'x'))).toBe(false)
    expect(guessed.settle(known('a', 'x'))).toBe(true)
    const lucky = new ColumnGuard(3, undefined)
    lucky.admit('a', 'text')
    expect(lucky.settle(known('a', 'x', 'y'))).toBe(true)
    expect(lucky.newColumns(1)).toEqual([])
  })

  test('holds to the first names when the limit was lowered', () => {
    const guard = new ColumnGuard(2, known('a', 'b', 'c'))
    expect(['a', 'b', 'c', 'd'].map((name) => guard.admit(name, 'text'))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})
