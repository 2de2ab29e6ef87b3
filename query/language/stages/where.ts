// `where count > 20`: keeps the rows that pass (search-language#where).
import { parsePlainFilter } from '../parse/parse-filter.ts'
import type { Where } from '../tree.ts'
import type { StageSyntax } from './stage.ts'

export const where: StageSyntax<Where> = {
  words: ['where'],
  parse(context, before) {
    const { input } = context
    const { start } = input.token()
    input.takeKeyword('where')
    const filter = parsePlainFilter(context, before.names)
    return { kind: 'where', start, end: input.position, filter }
  },
  print(stage, printer) {
    return `where ${printer.printFilter(stage.filter)}`
  },
}
