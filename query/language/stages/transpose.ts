// `transpose`, `transpose Method` (search-language#transpose).

import { isStageEnd, readColumn } from '../parse/read-name.ts'
import { printColumn } from '../print/print-words.ts'
import type { Transpose } from '../tree.ts'
import type { StageSyntax } from './stage.ts'

export const transpose: StageSyntax<Transpose> = {
  words: ['transpose'],
  parse({ input }, before) {
    const { start } = input.token()
    input.takeKeyword('transpose')
    if (before.rows === 'events') input.raise('transpose needs a table, not events', start)
    const column = isStageEnd(input) ? null : readColumn(input)
    return { kind: 'transpose', start, end: input.position, column }
  },
  print(stage) {
    if (!stage.column) return 'transpose'
    return `transpose ${printColumn(stage.column)}`
  },
}
