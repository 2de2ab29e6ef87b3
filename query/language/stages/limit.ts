// `limit 10 offset 5` (search-language#limit).
import type { Input } from '../parse/input.ts'
import { readNumber } from '../parse/read-name.ts'
import type { Limit } from '../tree.ts'
import type { StageSyntax } from './stage.ts'

export const limit: StageSyntax<Limit> = {
  words: ['limit'],
  parse({ input }) {
    const { start } = input.token()
    input.takeKeyword('limit')
    const count = readWhole(input)
    const offset = input.takeKeyword('offset') ? readWhole(input) : 0
    return { kind: 'limit', start, end: input.position, count, offset }
  },
  print(stage) {
    return `limit ${stage.count}${stage.offset === 0 ? '' : ` offset ${stage.offset}`}`
  },
}

function readWhole(input: Input): number {
  const { start } = input.token()
  const count = readNumber(input, 'a number of rows')
  if (!Number.isSafeInteger(count) || count > 1e15) input.raise('a whole number is expected', start)
  return count
}
