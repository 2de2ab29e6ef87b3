// `count`, `avg Bytes Sent as Mean, max Bytes Sent`: the functions, and the names of what they give
// (search-language#functions).
import { trimEnd } from '../../../schemas/names/trim-end.ts'
import { makeColumnNames } from '../column-names.ts'
import { describeUnknown } from '../nearest-word.ts'
import type { Input } from '../parse/input.ts'
import type { ParseContext, RowState } from '../parse/parse-context.ts'
import { parsePlainFilter } from '../parse/parse-filter.ts'
import { refuseFormat } from '../parse/read-format.ts'
import { isColumnAhead, numberAt, readAlias, readColumn, readNumber } from '../parse/read-name.ts'
import { printAlias, printColumn } from '../print/print-words.ts'
import type { FunctionCall, FunctionName, Functions } from '../tree.ts'
import type { StagePrinter, StageSyntax } from './stage.ts'

const WITH_COLUMN: ReadonlyMap<string, FunctionName> = new Map<string, FunctionName>([
  ['sum', 'sum'],
  ['avg', 'avg'],
  ['min', 'min'],
  ['max', 'max'],
  ['stdev', 'stdev'],
  ['median', 'median'],
  ['first', 'first'],
  ['last', 'last'],
  ['values', 'values'],
])
const FIRST_WORDS = [
  ...['count', 'distinct', ...WITH_COLUMN.keys()],
  ...['percentile', 'start', 'end', 'time', 'percent'],
]

export const functions: StageSyntax<Functions> = {
  words: FIRST_WORDS,
  parse(context, before) {
    const { input } = context
    const calls = [parseCall(context, before)]
    while (input.takeSymbol(',')) calls.push(parseCall(context, before))
    const start = calls[0]?.start ?? input.position
    return { kind: 'functions', start, end: input.position, functions: calls }
  },
  print(stage, printer) {
    return stage.functions.map((call) => printCall(call, printer)).join(', ')
  },
  after(stage) {
    const calls = stage.functions
    const names = calls.flatMap((call) => [functionTitle(call), ...functionNames(call)])
    return {
      rows: 'table',
      names: makeColumnNames(names),
      aggregation: { hasGroupBy: false, hasInterval: false },
    }
  },
}

/** What the result column is called: the alias, else the text of the function. */
export function functionTitle(call: FunctionCall): string {
  return call.alias ?? functionText(call)
}

/** `avg Bytes Sent` */
function functionText({ name, percentile, column }: FunctionCall): string {
  const words = [name, ...(percentile === null ? [] : [formatNumber(percentile)])]
  return column ? `${words.join(' ')} ${column.name}` : words.join(' ')
}

/** What a later stage may call the result, beside its title. */
export function functionNames(call: FunctionCall): readonly string[] {
  const turned = call.name === 'distinct count' ? [`count distinct ${call.column?.name ?? ''}`] : []
  return [functionText(call), ...turned, call.name]
}

function parseCall(context: ParseContext, before: RowState): FunctionCall {
  const { input } = context
  const { start } = input.token()
  const body = parseBody(context)
  const condition = input.takeKeyword('if') ? parseCondition(context, before) : NO_CONDITION
  const alias = readAlias(input)
  refuseFormat(input)
  return { kind: 'function', start, end: input.position, ...body, ...condition, alias }
}

type Body = Pick<FunctionCall, 'name' | 'percentile' | 'column'>

function parseBody({ input }: ParseContext): Body {
  const token = input.token()
  if (token.kind !== 'word') return input.raise('a function is expected')
  const { keyword } = token
  if (!FIRST_WORDS.includes(keyword)) {
    return input.raise(describeUnknown('function', keyword, FIRST_WORDS))
  }
  input.take(token)
  refuseEval(input)
  const readArgument = (name: FunctionName) => {
    if (!isColumnAhead(input)) input.raise(`${name} needs a column`)
    return readColumn(input)
  }
  const withColumn = WITH_COLUMN.get(keyword)
  if (withColumn) return { name: withColumn, percentile: null, column: readArgument(withColumn) }
  if (keyword === 'percentile') {
    const position = input.token().start
    const percentile = readNumber(input, 'the number of the percentile, 0 to 100,')
    if (percentile > 100) input.raise('a percentile is 0 to 100', position)
    return { name: 'percentile', percentile, column: readArgument('percentile') }
  }
  if (keyword === 'distinct') {
    if (!input.takeKeyword('count')) input.raise('count is expected after distinct')
    return { name: 'distinct count', percentile: null, column: readArgument('distinct count') }
  }
  if (keyword === 'start' || keyword === 'end') {
    if (!input.takeKeyword('time')) input.raise(`time is expected after ${keyword}`)
    return { name: keyword === 'start' ? 'start time' : 'end time', percentile: null, column: null }
  }
  if (keyword === 'time' || keyword === 'percent') {
    return { name: keyword, percentile: null, column: null }
  }
  const afterDistinct = input.position
  if (input.takeKeyword('distinct')) {
    if (isColumnAhead(input)) {
      return { name: 'distinct count', percentile: null, column: readColumn(input) }
    }
    input.position = afterDistinct
  }
  const column = isColumnAhead(input) ? readColumn(input) : null
  return { name: 'count', percentile: null, column }
}

/** `count(eval(status=500))` of SPL. */
function refuseEval(input: Input): void {
  if (!/^\s*(?:\(\s*)?eval\s*\(/i.test(input.text.slice(input.position, input.position + 40)))
    return
  input.raise(
    'eval(…) is not known: a condition stands after the function, count if (status = 500)',
  )
}

type Condition = Pick<FunctionCall, 'condition' | 'conditionText'>
const NO_CONDITION: Condition = { condition: null, conditionText: '' }

function parseCondition(context: ParseContext, before: RowState): Condition {
  const { input } = context
  input.expectSymbol('(')
  const { position } = input
  const condition = input.nested(() => parsePlainFilter(context, before.names))
  const conditionText = input.text.slice(position, input.position).trim().replace(/\s+/g, ' ')
  input.expectSymbol(')', 'the parenthesis of if is not closed')
  return { condition, conditionText }
}

function printCall(call: FunctionCall, printer: StagePrinter): string {
  const percentile = call.percentile === null ? '' : ` ${formatNumber(call.percentile)}`
  const column = call.column ? ` ${printColumn(call.column)}` : ''
  const condition = call.condition ? ` if (${printer.printFilter(call.condition)})` : ''
  return `${call.name}${percentile}${column}${condition}${printAlias(call.alias)}`
}

/** Never with an exponent, which the language has not. */
export function formatNumber(value: number): string {
  const text = String(value)
  return text.includes('e') ? trimEnd(trimEnd(value.toFixed(20), '0'), '.') : text
}

/** True when `percentile <n>` stands alone: the row filter, not the function. */
export function isPercentileCut(context: ParseContext): boolean {
  const { input } = context
  const word = input.keywordsEnd(input.position, ['percentile'])
  if (word === undefined || numberAt(input, word) === undefined) return false
  const behind = input.token(input.token(word).end)
  return behind.kind === 'end' || (behind.kind === 'symbol' && '|]'.includes(behind.symbol))
}
