// `dedup Remote IP`: the first row of each combination (search-language#dedup).

import { readColumn } from '../parse/read-name.ts'
import { printColumn } from '../print/print-words.ts'
import type { ColumnRef, Dedup } from '../tree.ts'
import type { StageSyntax } from './stage.ts'

export const dedup: StageSyntax<Dedup> = {
  words: ['dedup'],
  parse({ input }) {
    const { start } = input.token()
    input.takeKeyword('dedup')
    const columns: ColumnRef[] = []
    do columns.push(readColumn(input))
    while (input.takeSymbol(','))
    return { kind: 'dedup', start, end: input.position, columns }
  },
  print(stage) {
    return `dedup ${stage.columns.map(printColumn).join(', ')}`
  },
}
