import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { explainQuery } from '../../../../query/language/explain-query.ts'
import { nearestWord } from '../../../../query/language/nearest-word.ts'
import { series } from '../../../support/run/tier.ts'

/** Every cell of the table, as it is written in books. */
function naiveDistance(a: string, b: string): number {
  const table: number[][] = []
  const at = (i: number, j: number) => table[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 0; i <= a.length; i += 1) {
    table.push([])
    for (let j = 0; j <= b.length; j += 1) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY
      const rest = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + change, swapped)
      table[i]?.push(i === 0 ? j : j === 0 ? i : rest)
    }
  }
  return at(a.length, b.length)
}

function naiveNearest(word: string, known: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(word.length / 3))
  const distances = known.map((name) => naiveDistance(word, name))
  const least = Math.min(...distances)
  return least <= most ? known[distances.indexOf(least)] : undefined
}

describe('the nearest word', () => {
  it('is the one that a table of all cells says', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'ß'), maxLength: 14 })
    const property = fc.property(word, fc.array(word, { maxLength: 8 }), (asked, known) => {
      expect(nearestWord(asked, known)).toBe(naiveNearest(asked, known))
    })
    fc.assert(property, { seed: 20_261_121, numRuns: series(830, 5000) })
  })

  it('is looked for as long as the comparisons last: of columns, and of logs in scopes', () => {
    const visibleLogs = Array.from({ length: 2000 }, (_, n) => ({
      ...{ id: n, name: `access of the server number ${n}`, folder: ['Web', `Edge ${n}`] },
      ...{ appTags: [], typeWords: [] },
    }))
    const names = Array.from({ length: 10_000 }, (_, n) => `response_header_field_${n}`)
    const columns = names.map((name, position) => ({
      ...{ logId: 1, name, kind: 'text' as const, position },
    }))
    const unknown = Array.from({ length: 30 }, (_, n) => `respnse_haeder_feild_${n}x = 1`)
    const scopes = Array.from({ length: 100 }, (_, n) => `* in log.acess of teh ${n}`)
    const explain = (texts: readonly string[]) =>
      explainQuery({ visibleLogs, columns: new Map([[1, columns]]), text: texts.join(' OR ') })
    // 100,000 comparisons: ten names with 10,000 columns, fifty with 2,000 logs.
    const near = explain(unknown).columns.map(({ nearest }) => nearest)
    expect(near.map((name) => name !== null)).toEqual(unknown.map((_, at) => at < 10))
    const nearLogs = explain(scopes).emptyScopes.map(({ nearest }) => nearest)
    expect(nearLogs).toHaveLength(100)
    expect(nearLogs.slice(50)).toEqual(Array.from({ length: 50 }, () => null))
  })
})
