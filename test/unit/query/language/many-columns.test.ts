// A log may have thousands of columns: whatever a query of full length asks of them is answered
// without holding the process.
import { describe, expect, it } from 'vitest'
import { parseTemplate } from '../../../../query/language/compile/formats/template.ts'
import { passesCheck } from '../../../../query/language/compile/tests/check-text.ts'
import { compileSearch } from '../../../../query/language/compile-search.ts'
import { explainQuery } from '../../../../query/language/explain-query.ts'
import { nearestWord } from '../../../../query/language/nearest-word.ts'
import { matchesWhole } from '../../../../query/language/resolve/glob.ts'
import { suggest } from '../../../../query/language/suggest.ts'
import type { Pattern } from '../../../../query/language/tree.ts'

const NAMES = Array.from({ length: 6000 }, (_, n) => `c${String(n).padStart(5, '0')}_some_column`)

/** A course that grows with the square of the input ends the test. */
const LIMIT = { timeout: 30_000 }

describe('with 6,000 columns', LIMIT, () => {
  it('a query with 700 unknown columns is explained at once', () => {
    const text = NAMES.slice(0, 700).map((name) => `${name.replace('some', 'sxme')} = v`)
    const log = { id: 1, name: 'a', folder: [], appTags: [], typeWords: [] }
    const columns = NAMES.map((name, position) => ({
      logId: 1,
      name,
      kind: 'text' as const,
      position,
    }))
    const input = { visibleLogs: [log], columns: new Map([[1, columns]]) }
    const explained = explainQuery({ ...input, text: text.join(' OR ') })
    expect(explained.columns).toHaveLength(700)
    expect(explained.columns[0]).toMatchObject({ isKnown: false, nearest: NAMES[0] })
  })

  it('a template that begins 18,000 columns is read at once', () => {
    const row = { names: NAMES, find: () => undefined }
    expect(parseTemplate('column.'.repeat(18_000), row).length).toBeGreaterThan(0)
  })
})

describe('with 5,000 logs', LIMIT, () => {
  const pattern: Pattern = Array.from({ length: 32_000 }, (_, n) =>
    n % 2 === 0 ? { kind: 'run' } : { kind: 'text', text: 'a' },
  )

  it('a pattern as long as a query is compared with all names at once', () => {
    const value = { kind: 'value' as const, pattern, start: 0, end: 0, isQuoted: false }
    const check = { kind: 'compare' as const, operator: '=' as const, value, isNegated: false }
    let found = 0
    for (let n = 0; n < 5000; n += 1) {
      if (matchesWhole(pattern, `log ${n}`)) found += 1
      if (passesCheck(`log ${n}`, check)) found += 1
    }
    expect(found).toBe(0)
  })

  it('a text of spaces is completed at once', () => {
    const input = { visibleLogs: [], columns: new Map(), text: `${' '.repeat(4000)}a` }
    expect(suggest(input, 4001)).toBeDefined()
  })
})

it('a transaction has at most 40 steps, each of which is a query of its own', () => {
  const compile = (count: number) => {
    const steps = Array.from({ length: count }, (_, n) => `"a","host","s${n}"`)
    const text = `transaction(${steps.join(' -> ')})`
    const window = { startMs: null, endMs: null }
    const style = { dateFormat: 'MM/dd/yyyy HH:mm:ss', timeZone: 'UTC', nowMs: 0 }
    return compileSearch({
      text,
      visibleLogs: [],
      columns: new Map(),
      window,
      ...style,
      maxRows: 1,
    })
  }
  expect(compile(40).kind).toBe('table')
  expect(() => compile(41)).toThrow('the transaction has more than 40 steps')
})

it('the longest known name stands in a template, in any letter case', () => {
  const row = { names: ['User', 'User Name', '\u0130d', 'x'], find: () => undefined }
  expect(parseTemplate('column.USER NAME, column.user x', row)).toEqual([
    { kind: 'column', name: 'User Name' },
    { kind: 'text', text: ', ' },
    { kind: 'column', name: 'User' },
    { kind: 'text', text: ' x' },
  ])
  expect(parseTemplate('column.\u0130d', row)).toEqual([{ kind: 'column', name: '\u0130d' }])
})

it('a known name that is only the beginning of a word is not taken out of it', () => {
  const row = { names: ['p', 'size (kb)'], find: () => undefined }
  expect(parseTemplate('column.pid column.p, column.size (kb)x', row)).toEqual([
    { kind: 'column', name: 'pid' },
    { kind: 'text', text: ' ' },
    { kind: 'column', name: 'p' },
    { kind: 'text', text: ', ' },
    { kind: 'column', name: 'size (kb)' },
    { kind: 'text', text: 'x' },
  ])
})

it('the nearest word is the one of the fewest changes, the first of several', () => {
  expect(nearestWord('cuont', ['percent', 'count', 'avg'])).toBe('count')
  expect(nearestWord('abcdef', ['abcdxx', 'abcdxf', 'abxdef'])).toBe('abcdxf')
  expect(nearestWord('abcdef', ['fedcba', 'a', ''])).toBeUndefined()
  expect(nearestWord('a', ['b', 'ab'])).toBe('b')
})
