// `extract "rule=(?<rule_no>\d+)" from Rule`: named groups become columns
// (search-language#extract).
import { makeColumnNames, uniteColumnNames } from '../column-names.ts'
import { readColumn } from '../parse/read-name.ts'
import { printColumn, printQuoted } from '../print/print-words.ts'
import type { Extract } from '../tree.ts'
import { closeAggregation, type StageSyntax } from './stage.ts'

export const extract: StageSyntax<Extract> = {
  words: ['extract'],
  parse({ input }) {
    const { start } = input.token()
    input.takeKeyword('extract')
    const { text: regexp, start: regexpStart } = input.expectQuoted('a regular expression')
    if (!input.takeKeyword('from')) input.raise('from and a column are expected')
    const column = readColumn(input)
    return { kind: 'extract', start, end: input.position, regexp, regexpStart, column }
  },
  print(stage) {
    return `extract ${printQuoted(stage.regexp)} from ${printColumn(stage.column)}`
  },
  after(stage, before) {
    const regexp = stage.regexp
    const groups = [...regexp.matchAll(/\(\?P?<([A-Za-z_]\w*)>/g)].map((match) => match[1] ?? '')
    return {
      ...closeAggregation(before),
      names: uniteColumnNames(makeColumnNames(groups), before.names),
    }
  },
}
