// `list timestamp, Status as Code`: the columns shown; the others stay reachable
// (search-language#list).
import { makeColumnNames, uniteColumnNames } from '../column-names.ts'
import type { ParseContext } from '../parse/parse-context.ts'
import { refuseFormat } from '../parse/read-format.ts'
import { readAlias, readColumn } from '../parse/read-name.ts'
import { printAlias, printColumn } from '../print/print-words.ts'
import type { List, PlainItem } from '../tree.ts'
import { closeAggregation, type StageSyntax } from './stage.ts'

export const list: StageSyntax<List> = {
  words: ['list'],
  parse(context, before) {
    const { input } = context
    const { start, end } = input.token()
    input.takeKeyword('list')
    if (input.text.charAt(end) === '(')
      input.raise(
        'list shows columns of events, without parentheses: the values of a column are collected by | values user',
        start,
      )
    if (before.rows === 'table') input.raise('list needs events, a table has display only', start)
    const items: PlainItem[] = []
    do items.push(parseItem(context))
    while (input.takeSymbol(','))
    return { kind: 'list', start, end: input.position, items }
  },
  print(stage) {
    return `list ${stage.items.map(printItem).join(', ')}`
  },
  after(stage, before) {
    const items = stage.items
    const aliases = makeColumnNames(items.flatMap((item) => item.alias ?? []))
    return { ...closeAggregation(before), names: uniteColumnNames(aliases, before.names) }
  },
}

function parseItem({ input }: ParseContext): PlainItem {
  const { start } = input.token()
  const column = readColumn(input)
  const alias = readAlias(input)
  refuseFormat(input)
  return { kind: 'plainItem', start, end: input.position, column, alias }
}

function printItem({ column, alias }: PlainItem): string {
  return `${printColumn(column)}${printAlias(alias)}`
}
