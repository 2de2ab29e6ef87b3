// Every read of a table sees the user's logs and no other (decision 4.9), however that is written.
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
    maxRows: 10,
  })
  const bound = /WHERE (log_id (?:IN \S+|BETWEEN \S+ AND \S+))/.exec(sql)?.[1] ?? ''
  return bound.replace(/\{(\w+):\w+(?:\(\w+\))?\}/g, (_, name) => JSON.stringify(params[name]))
}

describe('the logs of a read', () => {
  it.each([
    [[2, 3, 4, 5], 'log_id BETWEEN 2 AND 5'],
    [[5, 3, 4], 'log_id BETWEEN 3 AND 5'],
    [[2, 3, 5], 'log_id IN [2,3,5]'],
    [[2, 3, 5, 6, 4, 8], 'log_id IN [2,3,4,5,6,8]'],
    // Of one that is there twice, another would stand between.
    [[1, 1, 3], 'log_id IN [1,3]'],
    [[1, 3, 3, 4], 'log_id IN [1,3,4]'],
    [[7], 'log_id IN [7]'],
    [[7, 8], 'log_id IN [7,8]'],
    [[], 'log_id IN []'],
  ])('%j are those and no other', (ids, bound) => {
    expect(boundOf(ids)).toBe(bound)
  })
})
