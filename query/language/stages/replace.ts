// `replace "\?.*$" with "" in URL as Page` (search-language#replace).
import { makeColumnNames, uniteColumnNames } from '../column-names.ts'
import { readAlias, readColumn } from '../parse/read-name.ts'
import { printAlias, printColumn, printQuoted } from '../print/print-words.ts'
import type { Replace } from '../tree.ts'
import { closeAggregation, type StageSyntax } from './stage.ts'

export const replace: StageSyntax<Replace> = {
  words: ['replace'],
  parse({ input }) {
    const { start } = input.token()
    input.takeKeyword('replace')
    const { text: regexp, start: regexpStart } = input.expectQuoted('a regular expression')
    if (!input.takeKeyword('with')) input.raise('with and a text are expected')
    const { text: replacement, start: replacementStart } = input.expectQuoted('the replacement')
    if (!input.takeKeyword('in')) input.raise('in and a column are expected')
    const column = readColumn(input)
    const alias = readAlias(input)
    const texts = { regexp, regexpStart, replacement, replacementStart }
    return { kind: 'replace', start, end: input.position, ...texts, column, alias }
  },
  print(stage) {
    const { regexp, replacement, column, alias } = stage
    const texts = `${printQuoted(regexp)} with ${printQuoted(replacement)}`
    return `replace ${texts} in ${printColumn(column)}${printAlias(alias)}`
  },
  after(stage, before) {
    const alias = stage.alias !== null ? [stage.alias] : []
    return {
      ...closeAggregation(before),
      names: uniteColumnNames(makeColumnNames(alias), before.names),
    }
  },
}
