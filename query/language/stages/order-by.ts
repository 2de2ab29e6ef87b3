// `order by Hits desc, URL` (search-language#order-by).

import type { ParseContext } from '../parse/parse-context.ts'
import { refuseFormat } from '../parse/read-format.ts'
import { readColumn } from '../parse/read-name.ts'
import { printColumn } from '../print/print-words.ts'
import type { OrderBy, OrderKey } from '../tree.ts'
import type { StageSyntax } from './stage.ts'

export const orderBy: StageSyntax<OrderBy> = {
  words: ['order'],
  parse(context) {
    const { input } = context
    const { start } = input.token()
    if (!input.takeKeyword('order', 'by')) input.raise('by is expected after order', start)
    const keys: OrderKey[] = []
    do keys.push(parseKey(context))
    while (input.takeSymbol(','))
    return { kind: 'orderBy', start, end: input.position, keys }
  },
  print(stage) {
    return `order by ${stage.keys.map((key) => `${printColumn(key.column)} ${key.direction}`).join(', ')}`
  },
}

function parseKey({ input }: ParseContext): OrderKey {
  const { start } = input.token()
  const column = readColumn(input)
  refuseFormat(input)
  const direction = input.takeKeyword('desc') ? 'desc' : 'asc'
  if (direction === 'asc') input.takeKeyword('asc')
  return { kind: 'orderKey', start, end: input.position, column, direction }
}
