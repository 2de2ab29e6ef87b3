// `percentile 95`: keeps the first 95 % of the rows (search-language#percentile). With a column it
// is a function.

import { readNumber } from '../parse/read-name.ts'
import type { PercentileCut } from '../tree.ts'
import { formatNumber } from './functions.ts'
import type { StageSyntax } from './stage.ts'

export const percentileCut: StageSyntax<PercentileCut> = {
  words: ['percentile'],
  parse({ input }) {
    const { start } = input.token()
    input.takeKeyword('percentile')
    const percentile = readNumber(input, 'a number from 0 to 100')
    if (percentile > 100) input.raise('a percentile is 0 to 100', start)
    return { kind: 'percentileCut', start, end: input.position, percentile }
  },
  print(stage) {
    return `percentile ${formatNumber(stage.percentile)}`
  },
}
