import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { explainQuery } from '../../../../query/language/explain-query.ts'
import { nearestWord } from '../../../../query/language/nearest-word.ts'

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
    fc.assert(property, { seed: 20_261_121, numRuns: 5000 })
  })

  it('is looked for as long as it takes no time: 700 unknown names, 1,000 scopes, 5,000 logs, 20,000 columns', () => {
    const visibleLogs = Array.from({ length: 5000 }, (_, n) => ({
      ...{ id: n, name: `access of the server number ${n}`, folder: ['Web', `Edge ${n}`] },
      ...{ appTags: [], typeWords: [] },
    }))
    const names = Array.from({ length: 20_000 }, (_, n) => `response_header_field_${n}`)
    const columns = names.map((name, position) => ({
      ...{ logId: 1, name, kind: 'text' as const, position },
    }))
    const unknown = Array.from({ length: 700 }, (_, n) => `respnse_haeder_feild_${n}x = 1`)
    const scopes = Array.from({ length: 1000 }, (_, n) => `* in log.acess of teh ${n}`)
    const explain = (texts: readonly string[]) => {
      const started = performance.now()
      const text = texts.join(' OR ')
      const found = explainQuery({ visibleLogs, columns: new Map([[1, columns]]), text })
      return { ...found, ms: performance.now() - started }
    }
    const ofColumns = explain(unknown)
    expect(ofColumns.columns).toHaveLength(700)
    expect(ofColumns.columns[0]?.nearest).toMatch(/^response_header_field_/)
    expect(ofColumns.columns.at(-1)?.nearest).toBeNull()
    expect(ofColumns.ms).toBeLessThan(4000)
    const ofScopes = explain(scopes)
    expect(ofScopes.emptyScopes).toHaveLength(1000)
    expect(ofScopes.ms).toBeLessThan(8000)
  })
})
