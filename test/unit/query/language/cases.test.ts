// The case files of the search language: tree or error of each query, and parse -> print -> parse
// gives the same tree.
import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../../../query/language/parse/parse-query.ts'
import { printQuery } from '../../../../query/language/print/print-query.ts'
import { makeCatalog } from '../../../../query/language/resolve/known-columns.ts'
import { isFailure } from '../../../../schemas/failures.ts'
import { printTree } from '../../../support/cases/print-tree.ts'
import { readCases } from '../../../support/cases/read-cases.ts'
import { SAMPLE_COLUMNS, SAMPLE_LOGS } from '../../../support/data/sample-logs.ts'

const catalog = makeCatalog(SAMPLE_LOGS, SAMPLE_COLUMNS)
const ACCEPTED = { examples: 88, public: 16, binding: 103, times: 21 }

describe.each(Object.entries(ACCEPTED))('%s', (file, count) => {
  const cases = readCases(`language/${file}.txt`)

  it('is read whole', () => {
    expect(cases).toHaveLength(count)
  })

  it.each(cases)('$name', ({ input, result }) => {
    const query = parseQuery(input, catalog)
    expect(printTree(query)).toBe(result)
    const printed = printQuery(query)
    expect(printTree(parseQuery(printed, catalog)), printed).toBe(result)
  })
})

describe('errors', () => {
  const cases = readCases('language/errors.txt')

  it('are read whole', () => {
    expect(cases).toHaveLength(92)
  })

  it.each(cases)('$name', ({ input, result }) => {
    expect(errorOf(input)).toBe(result)
  })
})

function errorOf(text: string): string {
  try {
    return printTree(parseQuery(text, catalog))
  } catch (error) {
    if (!isFailure(error) || error.code !== 'search.query') throw error
    return `error ${error.details.position}: ${error.details.reason}`
  }
}
