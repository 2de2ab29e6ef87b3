// A log may have thousands of columns: whatever a query of full length asks of them is answered without holding the process.
import { describe, expect, it } from 'vitest'
import { parseTemplate } from '../../../../query/language/compile/formats/template.ts'
import { explainQuery } from '../../../../query/language/explain-query.ts'
import { nearestWord } from '../../../../query/language/nearest-word.ts'

const NAMES = Array.from({ length: 6000 }, (_, n) => `c${String(n).padStart(5, '0')}_some_column`)

function elapsedMs(work: () => void): number {
  const started = performance.now()
  work()
  return performance.now() - started
}

describe('with 6,000 columns', () => {
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
    let explained: ReturnType<typeof explainQuery> | undefined
    const ms = elapsedMs(() => {
      explained = explainQuery({ ...input, text: text.join(' OR ') })
    })
    expect(explained?.columns).toHaveLength(700)
    expect(explained?.columns[0]).toMatchObject({ isKnown: false, nearest: NAMES[0] })
    expect(ms).toBeLessThan(2500)
  })

  it('a template that begins 4,600 columns is read at once', () => {
    const row = { names: NAMES, find: () => undefined }
    let parts = 0
    const ms = elapsedMs(() => {
      parts = parseTemplate('column.'.repeat(4600), row).length
    })
    expect(parts).toBeGreaterThan(0)
    expect(ms).toBeLessThan(500)
  })
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

it('the nearest word is the one of the fewest changes, the first of several', () => {
  expect(nearestWord('cuont', ['percent', 'count', 'avg'])).toBe('count')
  expect(nearestWord('abcdef', ['abcdxx', 'abcdxf', 'abxdef'])).toBe('abcdxf')
  expect(nearestWord('abcdef', ['fedcba', 'a', ''])).toBeUndefined()
  expect(nearestWord('a', ['b', 'ab'])).toBe('b')
})
