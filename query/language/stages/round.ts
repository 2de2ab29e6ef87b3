// `round Mean to 1 as Mean` (search-language#round).
import { makeColumnNames, uniteColumnNames } from '../column-names.ts'
import { readAlias, readColumn, readNumber } from '../parse/read-name.ts'
import { printAlias, printColumn } from '../print/print-words.ts'
import type { Round } from '../tree.ts'
import { closeAggregation, type StageSyntax } from './stage.ts'

const MAX_DIGITS = 15

export const round: StageSyntax<Round> = {
  words: ['round'],
  parse({ input }) {
    const { start } = input.token()
    input.takeKeyword('round')
    const column = readColumn(input, 'round')
    let digits = 0
    if (input.takeKeyword('to')) {
      const position = input.token().start
      digits = readNumber(input, 'a number of digits')
      if (!Number.isInteger(digits) || digits > MAX_DIGITS) {
        input.raise(`a whole number from 0 to ${MAX_DIGITS} is expected`, position)
      }
    }
    const alias = readAlias(input)
    return { kind: 'round', start, end: input.position, column, digits, alias }
  },
  print(stage) {
    return `round ${printColumn(stage.column)} to ${stage.digits}${printAlias(stage.alias)}`
  },
  after(stage, before) {
    const alias = stage.alias !== null ? [stage.alias] : []
    return {
      ...closeAggregation(before),
      names: uniteColumnNames(makeColumnNames(alias), before.names),
    }
  },
}
