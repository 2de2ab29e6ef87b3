// A column in the place of a value (search-language#two-columns). What it computes is compared with
// the reference in test/contract/language/language-two-columns.test.ts.
import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../../../query/language/parse/parse-query.ts'
import { printQuery } from '../../../../query/language/print/print-query.ts'
import { makeCatalog } from '../../../../query/language/resolve/known-columns.ts'
import { printTree } from '../../../support/cases/print-tree.ts'
import { SAMPLE_COLUMNS, SAMPLE_LOGS } from '../../../support/data/sample-logs.ts'

const catalog = makeCatalog(SAMPLE_LOGS, SAMPLE_COLUMNS)

describe('two columns', () => {
  it.each([
    ['Status > column.Bytes', '(<Status> > <parsed: Bytes>)'],
    ['Status=COLUMN.Bytes', '(<Status> = <parsed: Bytes>)'],
    [
      'Time Taken >= column.Bytes Sent error',
      "(and (<Time Taken> >= <parsed: Bytes Sent>) 'error')",
    ],
    ['Status != column."Bytes Sent"', '(<Status> != <parsed: Bytes Sent>)'],
    ['column.Bytes < event.size', '(<parsed: Bytes> < <builtIn: size>)'],
    ['Status > column.nothing here', "(and (<Status> > <parsed: nothing>) 'here')"],
    ['* | where Bytes > column.Status', '*\n| where (<Bytes> > <parsed: Status>)'],
    ['* | count as Hits, sum Bytes as Volume group by host | where Hits > column.Volume', ''],
    ['Status = "column.Bytes"', "(<Status> = quoted 'column.Bytes')"],
    ['Status = column.', "(<Status> = 'column.')"],
    ['Status = event.nothing', "(<Status> = 'event.nothing')"],
    ['Status contains column.Bytes', "(<Status> contains 'column.Bytes')"],
  ])('%s', (text, tree) => {
    const query = parseQuery(text, catalog)
    if (tree !== '') expect(printTree(query)).toBe(tree)
    const printed = printQuery(query)
    expect(printTree(parseQuery(printed, catalog)), printed).toBe(printTree(query))
  })
})
