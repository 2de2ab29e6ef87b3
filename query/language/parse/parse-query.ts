// A query: source and stages (search-language#how-a-query-is-built, #grammar).

import { foreignStage } from '../check/foreign/foreign-stages.ts'
import type { ColumnCatalog } from '../column-catalog.ts'
import { makeColumnNames } from '../column-names.ts'
import { describeUnknown } from '../nearest-word.ts'
import { STAGE_WORDS, stageByWord, stageSyntax } from '../stages/all-stages.ts'
import { isPercentileCut } from '../stages/functions.ts'
import type { Query, Stage } from '../tree.ts'
import { Input } from './input.ts'
import type { ParseContext, ParsedQuery, RowState } from './parse-context.ts'
import { parseSourceFilter } from './parse-filter.ts'
import { isTransactionAhead, parseTransaction, transactionColumns } from './parse-transaction.ts'
import { isStageEnd } from './read-name.ts'

/** Throws Failure `search.query` { position (from 1), reason }. */
export function parseQuery(text: string, catalog: ColumnCatalog): Query {
  const input = new Input(text)
  const { query } = parseWhole({ input, catalog, parseQuery: parseWhole })
  if (input.token().kind !== 'end') input.raise('| or the end is expected')
  return query
}

function parseWhole(context: ParseContext): ParsedQuery {
  const { input, catalog } = context
  const { start } = input.token()
  const source: Query['source'] = isTransactionAhead(input)
    ? parseTransaction(context)
    : parseFilterSource(context)
  let state: RowState =
    source.kind === 'transaction'
      ? { rows: 'table', names: makeColumnNames(transactionColumns(source)), aggregation: null }
      : { rows: 'events', names: catalog.inFilter(source.filter), aggregation: null }
  const stages: Stage[] = []
  while (input.takeSymbol('|') || isGroupingAhead(context, state, stages)) {
    const stage = parseStage(context, state)
    stages.push(stage)
    state = stateBehind(stage, state)
    if (!isStageEnd(input) && !isGroupingAhead(context, state, stages)) {
      input.raise('a comma, | or the end is expected')
    }
  }
  const query = { kind: 'query', start, end: input.position, source, stages } as const
  return { query, state }
}

function parseFilterSource(context: ParseContext): Query['source'] {
  const { start } = context.input.token()
  const filter = parseSourceFilter(context)
  return { kind: 'filterSource', start, end: context.input.position, filter }
}

/** `group by` and `interval` may stand after functions without `|`. */
function isGroupingAhead(
  { input }: ParseContext,
  state: RowState,
  stages: readonly Stage[],
): boolean {
  if (stages.length === 0 || !state.aggregation) return false
  return input.isKeyword('group', 'by') || input.isKeyword('interval')
}

function parseStage(context: ParseContext, state: RowState): Stage {
  const { input } = context
  const token = input.token()
  if (input.text.slice(token.start - 1, token.end) === '||')
    return input.raise('a stage is expected after |; || is written or')
  if (token.kind === 'symbol' && token.symbol === '=')
    return input.raise('a stage is expected after |: |= "x" is written "x" before the first |')
  if (token.kind !== 'word') return input.raise('a stage is expected after |')
  input.countStage(token.start)
  const syntax = stageByWord(token.keyword, isPercentileCut(context))
  if (!syntax) {
    const foreign = foreignStage(token.keyword)
    const unknown = describeUnknown('stage', token.keyword, STAGE_WORDS)
    const word = input.text.slice(token.start, token.end)
    const where = `: a condition stands before the first |, or after where: | where ${word} …`
    return input.raise(foreign ?? `${unknown}${isTestAhead(input, token.end) ? where : ''}`)
  }
  return syntax.parse(context, state)
}

/** `| level = ERROR` */
function isTestAhead(input: Input, at: number): boolean {
  const { kind, start, end } = input.token(at)
  return kind === 'symbol' && /^(?:!?=|[<>]=?)$/.test(input.text.slice(start, end))
}

function stateBehind(stage: Stage, before: RowState): RowState {
  const after = stageSyntax(stage.kind).after
  return after ? after(stage, before) : { ...before, aggregation: null }
}
