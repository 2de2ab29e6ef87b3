import { describe, expect, it } from 'vitest'
import { compileSearch } from '../../../../query/language/compile-search.ts'
import { explainQuery } from '../../../../query/language/explain-query.ts'
import { readOnce, readQuery } from '../../../../query/language/read-query.ts'
import { compilePage } from '../../../../query/language/reads/compile-event-reads.ts'
import { SAMPLE_COLUMNS, SAMPLE_LOGS } from '../../../support/data/sample-logs.ts'

const input = (text: string) => ({
  text,
  visibleLogs: SAMPLE_LOGS,
  columns: SAMPLE_COLUMNS,
  window: { startMs: null, endMs: null },
  dateFormat: 'MM/dd/yyyy HH:mm:ss',
  timeZone: 'UTC',
  nowMs: 0,
  maxRows: null,
})

describe('a text that is read once', () => {
  it('gives one tree to all that is made of it', () => {
    let count = 0
    const read = () => {
      count += 1
      return readQuery(input('eror'))
    }
    const once = readOnce({ ...input('eror'), read })
    const whole = compileSearch(once)
    compilePage({ ...once, after: undefined, arrived: [], count: 1 })
    explainQuery(once)
    expect(once.read()).toBe(readQuery(once))
    expect(count).toBe(1)
    expect(whole.sql).toBe(compileSearch(input('eror')).sql)
  })

  it('fails each time when it is no query', () => {
    const once = readOnce(input('* | cuont'))
    for (const _ of [1, 2])
      expect(() => compileSearch(once)).toThrow(expect.objectContaining({ code: 'search.query' }))
  })
})
