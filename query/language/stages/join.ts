// `join [ query ] on Remote IP = Source IP` (search-language#join).
import { makeColumnNames, uniteColumnNames } from '../column-names.ts'
import { readColumn } from '../parse/read-name.ts'
import { printColumn } from '../print/print-words.ts'
import type { Join } from '../tree.ts'
import { closeAggregation, type StageSyntax } from './stage.ts'

export const join: StageSyntax<Join> = {
  words: ['join'],
  parse(context, before) {
    const { input } = context
    const { start } = input.token()
    input.takeKeyword('join')
    if (before.rows === 'events') input.raise('join needs a table, not events', start)
    const open = input.skipSpace()
    if (input.text.charAt(open) !== '[') input.raise('[ and a query are expected')
    input.position = open + 1
    const { query, state } = input.bracketed(() => {
      const inside = context.parseQuery(context)
      input.expectSymbol(']', 'the bracket is not closed')
      return inside
    })
    if (!input.takeKeyword('on')) input.raise('on and a column are expected')
    const left = readColumn(input)
    const right = input.takeSymbol('=') ? readColumn(input) : null
    const given = state.rows === 'table' ? state.names.list() : []
    return { kind: 'join', start, end: input.position, query, given, left, right }
  },
  print(stage, printer) {
    const right = stage.right ? ` = ${printColumn(stage.right)}` : ''
    return `join [ ${printer.printQuery(stage.query)} ] on ${printColumn(stage.left)}${right}`
  },
  after({ given }, before) {
    const names = given.map((name) => (before.names.has(name) ? `${name}_2` : name))
    return {
      ...closeAggregation(before),
      names: uniteColumnNames(before.names, makeColumnNames(names)),
    }
  },
}
