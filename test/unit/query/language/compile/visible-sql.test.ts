// Every read of a table sees the user's logs and no other (decision 4.9), however that is written.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileSearch } from '../../../../../query/language/compile-search.ts'

function boundOf(ids: readonly number[]): string {
  const { sql, params } = compileSearch({
    text: '*',
    visibleLogs: ids.map((id) => ({
      id,
      folder: [],
      name: `log${id}`,
      appTags: [],
      typeWords: [],
    })),
    columns: new Map(),
    window: { startMs: null, endMs: null },
    dateFormat: 'MM/dd/yyyy HH:mm:ss',
    timeZone: 'UTC',
    nowMs: 1_772_452_800_000,
    maxRows: 10,
  })
  const bound = /WHERE (.*?) ORDER BY/.exec(sql)?.[1] ?? ''
  return bound.replace(/\{(\w+):\w+(?:\(\w+\))?\}/g, (_, name) => JSON.stringify(params[name]))
}

const MAX_ID = 30

/** What the engine does with it. */
function takes(bound: string, id: number): boolean {
  const list = /^log_id IN \[(.*)\]$/.exec(bound)?.[1]
  if (list !== undefined) return list.split(',').map(Number).includes(id)
  const ranges = [...bound.matchAll(/log_id BETWEEN (\d+) AND (\d+)/g)]
  return ranges.some(([, first, last]) => Number(first) <= id && id <= Number(last))
}

describe('the logs of a read', () => {
  it.each([
    [[2, 3, 4, 5], 'log_id BETWEEN 2 AND 5'],
    [[5, 3, 4], 'log_id BETWEEN 3 AND 5'],
    [[2, 3, 5], 'log_id IN [2,3,5]'],
    // A few in more runs than one are asked of the index of logs.
    [[2, 3, 5, 6, 4, 8], 'log_id IN [2,3,4,5,6,8]'],
    [
      [1, 2, 3, 5, 6, 7, 8, 9, 10],
      'if(log_id BETWEEN 1 AND 3, log_id >= 0, log_id BETWEEN 5 AND 10)',
    ],
    // More ranges than two are dearer than a list.
    [[1, 2, 3, 5, 6, 7, 9, 10, 11], 'log_id IN [1,2,3,5,6,7,9,10,11]'],
    // Of one that is there twice, another would stand between.
    [[1, 1, 3], 'log_id IN [1,3]'],
    [[1, 3, 3, 4], 'log_id IN [1,3,4]'],
    [[7], 'log_id IN [7]'],
    [[7, 8], 'log_id IN [7,8]'],
    [[], 'log_id IN []'],
  ])('%j are those and no other', (ids, bound) => {
    expect(boundOf(ids)).toBe(bound)
  })

  it('take in every one of them and none beside', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: MAX_ID }), { minLength: 1 }), (ids) => {
        const bound = boundOf(ids)
        const all = Array.from({ length: MAX_ID + 2 }, (_, id) => id)
        expect(all.filter((id) => takes(bound, id))).toEqual(ids.toSorted((a, b) => a - b))
      }),
      { numRuns: 500 },
    )
  })
})
