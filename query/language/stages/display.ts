// `display Mean in time format("ms","sec")`, `display only host as Server, Hits`
// (search-language#display-and-display-only).
import { makeColumnNames, uniteColumnNames } from '../column-names.ts'
import type { Input } from '../parse/input.ts'
import type { ParseContext } from '../parse/parse-context.ts'
import { printFormat, readFormat } from '../parse/read-format.ts'
import { isStageEnd, readAlias, readColumn } from '../parse/read-name.ts'
import { printAlias, printColumn } from '../print/print-words.ts'
import type { Display, DisplayItem, Format } from '../tree.ts'
import { closeAggregation, type StageSyntax } from './stage.ts'

export const display: StageSyntax<Display> = {
  words: ['display'],
  parse(context) {
    const { input } = context
    const { start } = input.token()
    input.takeKeyword('display')
    const isOnly = takeOnly(input)
    const items: DisplayItem[] = []
    do items.push(parseItem(context))
    while (input.takeSymbol(','))
    return { kind: 'display', start, end: input.position, isOnly, items }
  },
  print(stage) {
    return `display ${stage.isOnly ? 'only ' : ''}${stage.items.map(printItem).join(', ')}`
  },
  after(stage, before) {
    const items = stage.items
    const titles = makeColumnNames(items.map((item) => item.alias ?? item.column.name))
    return { ...closeAggregation(before), names: uniteColumnNames(titles, before.names) }
  },
}

/** Of a format that makes the column where no row has it. */
export function isAdding({ type }: Format): boolean {
  return type === 'simple' || type === 'expression' || type === 'query'
}

/** `only` directly before a comma, `as` or the end is a column of that name. */
function takeOnly(input: Input): boolean {
  const end = input.keywordsEnd(input.position, ['only'])
  if (end === undefined || isStageEnd(input, end)) return false
  if (input.isSymbol(',', end) || input.keywordsEnd(end, ['as']) !== undefined) return false
  return input.takeKeyword('only')
}

function parseItem({ input }: ParseContext): DisplayItem {
  const { start } = input.token()
  const column = readColumn(input)
  const alias = readAlias(input)
  const format = readFormat(input)
  return { kind: 'displayItem', start, end: input.position, column, alias, format }
}

function printItem({ column, alias, format }: DisplayItem): string {
  return `${printColumn(column)}${printAlias(alias)}${printFormat(format)}`
}
