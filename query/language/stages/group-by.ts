// `group by URL, timestamp as Day in date format("yyyy-MM-dd")` (search-language#group-by).
import { makeColumnNames, uniteColumnNames } from '../column-names.ts'
import type { ParseContext } from '../parse/parse-context.ts'
import { printFormat, readFormat } from '../parse/read-format.ts'
import { readAlias, readColumn } from '../parse/read-name.ts'
import { printAlias, printColumn, printQuoted } from '../print/print-words.ts'
import type { GroupBy, GroupKey } from '../tree.ts'
import type { StageSyntax } from './stage.ts'

export const groupBy: StageSyntax<GroupBy> = {
  words: ['group'],
  parse(context, before) {
    const { input } = context
    const { start } = input.token()
    if (!input.takeKeyword('group', 'by')) input.raise('by is expected after group', start)
    if (before.aggregation?.hasGroupBy) input.raise('the functions are grouped already', start)
    if (before.rows === 'table' && !before.aggregation) {
      input.raise('group by must stand directly after a function', start)
    }
    const keys: GroupKey[] = []
    do keys.push(parseKey(context))
    while (input.takeSymbol(','))
    return { kind: 'groupBy', start, end: input.position, keys }
  },
  print(stage) {
    return `group by ${stage.keys.map(printKey).join(', ')}`
  },
  after(stage, before) {
    const keys = stage.keys
    // Under its own name a renamed key is reached, too.
    const names = makeColumnNames(keys.flatMap((key) => [keyTitle(key), key.column.name]))
    // Without functions before it, it means `count | group by`.
    const functionNames = before.aggregation ? before.names : makeColumnNames(['count'])
    return {
      rows: 'table',
      names: uniteColumnNames(functionNames, names),
      aggregation: { hasGroupBy: true, hasInterval: before.aggregation?.hasInterval ?? false },
    }
  },
}

export function keyTitle(key: GroupKey): string {
  return key.alias ?? key.column.name
}

function parseKey({ input }: ParseContext): GroupKey {
  const { start } = input.token()
  const column = readColumn(input, 'key')
  const alias = readAlias(input, 'key')
  const format = readFormat(input)
  const missing = input.takeKeyword('or')
    ? input.expectQuoted('a text for missing keys').text
    : null
  return {
    kind: 'key',
    start,
    end: input.position,
    column,
    alias,
    format,
    missingText: missing,
  }
}

function printKey({ column, alias, format, missingText }: GroupKey): string {
  const missing = missingText === null ? '' : ` or ${printQuoted(missingText)}`
  return `${printColumn(column)}${printAlias(alias)}${printFormat(format)}${missing}`
}
