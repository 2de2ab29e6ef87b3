// Queries of transaction steps stand in quotation marks; what is wrong in them points into the
// whole text.
import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../../../query/language/parse/parse-query.ts'
import { printQuery } from '../../../../query/language/print/print-query.ts'
import { makeCatalog } from '../../../../query/language/resolve/known-columns.ts'
import type { Filter } from '../../../../query/language/tree.ts'
import { isFailure } from '../../../../schemas/failures.ts'
import { printTree } from '../../../support/cases/print-tree.ts'
import { SAMPLE_COLUMNS, SAMPLE_LOGS } from '../../../support/data/sample-logs.ts'

const catalog = makeCatalog(SAMPLE_LOGS, SAMPLE_COLUMNS)

function parse(text: string) {
  const { source } = parseQuery(text, catalog)
  if (source.kind !== 'transaction') throw new Error('no transaction')
  return source
}

/** The text from the place of the error on, and the reason. */
function errorOf(text: string): string {
  try {
    parseQuery(text, catalog)
    return 'no error'
  } catch (error) {
    if (!isFailure(error) || error.code !== 'search.query') throw error
    return `${text.slice(Number(error.details.position) - 1)}: ${error.details.reason}`
  }
}

function placeOf(text: string, { start, end }: Filter): string {
  return text.slice(start, end)
}

describe('the query of a step', () => {
  it('is read like any filter, with the columns of its logs', () => {
    const text =
      'transaction("error Bytes Sent > 5 in log.access", "User", "A" -> "Event = \\"Failed password\\"", "User", "B")'
    const [first, second] = parse(text).steps
    if (first?.filter.kind !== 'scoped' || second?.filter.kind !== 'test') throw new Error('parsed')
    const [, test] = first.filter.operand.kind === 'and' ? first.filter.operand.operands : []
    expect(test?.kind === 'test' && test.column.name).toBe('Bytes Sent')
    expect(test && placeOf(text, test)).toBe('Bytes Sent > 5')
    expect(placeOf(text, second.filter)).toBe('Event = \\"Failed password\\"')
    expect(second.query).toBe('Event = "Failed password"')
  })

  it('may be empty, which is everything', () => {
    expect(parse('transaction("", "User", "A")').steps[0]?.filter.kind).toBe('everything')
  })

  it('may hold a query in brackets, and that a transaction', () => {
    const inner = 'transaction(\\"a\\", \\"User\\", \\"I\\") | count'
    const text = `transaction("User in [ ${inner} ]", "User", "A")`
    const query = parseQuery(text, catalog)
    expect(printTree(parseQuery(printQuery(query), catalog))).toBe(printTree(query))
    expect(errorOf(text.replace('count', 'cuont'))).toMatch(
      /^cuont \]", "User", "A"\): unknown stage/,
    )
    expect(errorOf(text.replace('\\"a\\"', '\\"a \\\\\\"b\\\\\\" (\\"'))).toMatch(/^\(?\\".*: /)
  })

  it.each([
    [
      'transaction("error (", "User", "A")',
      '", "User", "A"): a word or a test is expected before the end',
    ],
    ['transaction("Status = ", "User", "A")', '", "User", "A"): a value is expected'],
    [
      'transaction("a \\"b\\" AND", "User", "A")',
      '", "User", "A"): a word or a test is expected before the end',
    ],
    [
      'transaction("a | count", "User", "A")',
      'count", "User", "A"): the query of a step has no stages',
    ],
    [
      'transaction("transaction(\\"a\\", \\"b\\", \\"c\\")", "User", "A")',
      'transaction(\\"a\\", \\"b\\", \\"c\\")", "User", "A"): the query of a step is no transaction',
    ],
    ['transaction("a", "", "A")', '"", "A"): the key column of the step is empty'],
    ['transaction("a", "User", "")', '""): the name of the step is empty'],
    ['transaction("a", "k", "A" -> "b", "k", "a")', '"a"): two steps have this name'],
  ])('%s is an error where it stands', (text, expected) => {
    expect(errorOf(text)).toBe(expected)
  })

  it('counts its nesting and stages with the whole', () => {
    const deep = (depth: number) => `${'('.repeat(depth)}a${')'.repeat(depth)}`
    expect(errorOf(`transaction("${deep(49)}", "k", "A")`)).toBe('no error')
    expect(errorOf(`transaction("${deep(50)}", "k", "A")`)).toMatch(/nested deeper than 50/)
    const stages = (count: number) => '| count | count'.slice(0, 8).repeat(count)
    const inner = (count: number) => `transaction("a in [ * ${stages(count)} ]", "k", "A")`
    expect(errorOf(`${inner(20)} ${stages(20)}`)).toBe('no error')
    expect(errorOf(`${inner(20)} ${stages(21)}`)).toMatch(/more than 40 stages/)
  })
})
