// Words beside each other that may be a test, a scope or a stage with a mistake in it.
import type { ColumnNames } from '../column-names.ts'
import { nearestWord } from '../nearest-word.ts'
import { STAGE_WORDS } from '../stages/all-stages.ts'
import type { Filter } from '../tree.ts'
import { brokenLast } from './broken-last.ts'
import type { CheckedRows } from './check-column.ts'
import type { Edit } from './edit.ts'
import { operatorEdit } from './filter-edits.ts'
import { foreignOperator } from './foreign/foreign-words.ts'
import { missingColumn, missingKind, missingOperator } from './missing-parts.ts'
import { misspelledJoin } from './misspelled-joins.ts'
import {
  columnBefore,
  type Doubt,
  SCOPE_KINDS,
  searchedDoubt,
  spanAt,
  wordAt,
} from './neighbours.ts'

/** What stands between a column and a value, in words. */
const OPERATORS = ['exists', 'between', 'contains', 'matches', 'starts', 'ends', 'within']
/** Of the word or phrase at `at`, by those around it. */
export function doubtfulNeighbours(
  operands: readonly Filter[],
  at: number,
  rows: CheckedRows,
  text: string,
): Doubt | undefined {
  const word = wordAt(operands, at)
  if (word === undefined) return missingOperator(operands, at, rows, text)
  const { names } = rows
  return (
    afterColumn(operands, at, names, { word, text }) ??
    misspelledLast(operands, at, word, text) ??
    brokenScope(operands, at, word, text) ??
    missingKind(operands, at) ??
    missingColumn(operands, at, word, text) ??
    misspelledJoin(operands, at, word, text) ??
    stageWithoutPipe(operands, at, names, word) ??
    missingOperator(operands, at, rows, text)
  )
}

/** `message like "%x%"`, `Bytes Sent betwen 1 and 5`, `size 500` */
function afterColumn(
  operands: readonly Filter[],
  at: number,
  names: ColumnNames,
  { word, text }: { readonly word: string; readonly text: string },
): Doubt | undefined {
  const column = columnBefore(operands, at, names)?.name
  if (column === undefined) return undefined
  const next = operands[at + 1]
  const span = spanAt(operands, at)
  const isList = /^\s*[([]/.test(text.slice(span.end))
  if (isList && word.length <= 3 && nearestWord(word, ['in']) !== undefined)
    return searchedDoubt(word, `after the column '${column}' perhaps in was meant`, {
      ...span,
      text: 'in',
    })
  if (/^(?:-?\d+(?:\.\d+)?|null)$/i.test(word))
    return searchedDoubt(word, `a test of the column is written ${column} = ${word}`, {
      ...span,
      text: `= ${word}`,
    })
  const operators = next?.kind === 'test' || next?.kind === 'scoped' ? ['exists'] : OPERATORS
  const foreign = operators === OPERATORS ? foreignOperator(word) : undefined
  if (foreign !== undefined) {
    const edit = operatorEdit(span, word, text)
    return { code: 'query.other_language', message: foreign, edit }
  }
  const near = word.length > 2 ? nearestWord(word, operators) : undefined
  if (near === undefined) return undefined
  return searchedDoubt(word, `after the column '${column}' perhaps ${near} was meant`, {
    ...span,
    text: near,
  })
}

/** `error in lats 2 hours` */
function misspelledLast(
  operands: readonly Filter[],
  at: number,
  word: string,
  text: string,
): Doubt | undefined {
  const found = brokenLast(text, spanAt(operands, at).start)
  if (found === undefined) return undefined
  return searchedDoubt(word, `perhaps ${found.write} was meant`, found.edit)
}

/** `* in lgo.web`, `error in`, `* nt in log.web` */
function brokenScope(
  operands: readonly Filter[],
  at: number,
  word: string,
  text: string,
): Doubt | undefined {
  if (word.toLowerCase() === 'in') {
    const next = wordAt(operands, at + 1)
    if (next === undefined && at === operands.length - 1)
      return searchedDoubt(word, 'a scope stands after in, such as in log.web')
    const { start, end } = spanAt(operands, at + 1)
    const isQuoted = text.charAt(end) === '"'
    const shape = isQuoted ? /^(\w+)\.?$/ : /^(\w+)\.\S/
    const [, kind = ''] = shape.exec(next ?? '') ?? []
    const near = kind === '' ? undefined : nearestWord(kind, SCOPE_KINDS)
    if (near === undefined) return undefined
    const hint =
      kind.toLowerCase() === near
        ? `a scope is written in ${near}."…"`
        : `'${kind}' is no kind of scope, the nearest is '${near}'`
    const edit = isQuoted
      ? { start, end, text: `${near}.` }
      : { start, end: start + kind.length, text: near }
    return searchedDoubt(word, hint, edit)
  }
  if (at !== 1 || operands[0]?.kind !== 'everything') return undefined
  const isStage = STAGE_WORDS.includes(word.toLowerCase())
  return searchedDoubt(
    word,
    isStage ? '| is missing before it' : '* beside it finds everything, and says nothing more',
    isStage ? pipeEdit(operands, at) : undefined,
  )
}

/** `error order by timestamp`, `error limit 10`, `select * from logs`, `between 1 and 5` */
function stageWithoutPipe(
  operands: readonly Filter[],
  at: number,
  names: ColumnNames,
  word: string,
): Doubt | undefined {
  const folded = word.toLowerCase()
  const next = wordAt(operands, at + 1)?.toLowerCase() ?? ''
  const rest = operands[at + 1]?.kind === 'phrase' ? ' "…"' : ` ${next}`.trimEnd()
  const isNumber = /^\d+(?:\.\d+)?$/.test(next)
  const first = wordAt(operands, 0)?.toLowerCase()
  if (
    (/^(?:order|group|sort|stats)$/.test(folded) && next === 'by') ||
    (/^(?:limit|head|top|percentile)$/.test(folded) && isNumber)
  )
    return {
      code: 'query.other_language',
      message: `'${folded} ${next}' is searched as words here: stages stand after |`,
      edit: first === 'select' ? undefined : pipeEdit(operands, at),
    }
  if (at > 0 && folded === 'where' && first !== 'select')
    return searchedDoubt(word, '| is missing before it', pipeEdit(operands, at))
  if (at > 0 && STAGE_WORDS.includes(folded) && isStageRest(folded, operands, at + 1, names))
    return searchedDoubt(
      word,
      `${folded}${rest} is a stage: | is missing before it`,
      pipeEdit(operands, at),
    )
  if (folded === 'between' && at === 0 && operands.length > 2)
    return searchedDoubt(word, 'a column stands before it')
  if (at !== 0 || folded !== 'select') return undefined
  const isFrom = operands.some((_, index) => wordAt(operands, index)?.toLowerCase() === 'from')
  if (!isFrom) return undefined
  return {
    code: 'query.other_language',
    message:
      "this is searched word by word: SQL's select … from … where … is written error in log.web | list timestamp, message",
  }
}

/** `list Bytes Sent`, `display only`, `count if`, `extract "…" from` */
function isStageRest(
  stage: string,
  operands: readonly Filter[],
  at: number,
  names: ColumnNames,
): boolean {
  const next = wordAt(operands, at)?.toLowerCase()
  if (/^(?:datastream|dedup|transpose)$/.test(stage)) return true
  if (next === undefined)
    return operands[at]?.kind === 'phrase' && /^(?:extract|replace)$/.test(stage)
  if ((stage === 'display' && next === 'only') || next === 'if') return true
  const words = [next]
  for (let more = at + 1; words.length <= 4; more += 1) {
    if (names.has(words.join(' '))) return true
    const word = wordAt(operands, more)
    if (word === undefined) return false
    words.push(word)
  }
  return false
}

/** `head 10` and `top 10` are written otherwise, too. */
function pipeEdit(operands: readonly Filter[], at: number): Edit {
  const { start, end } = spanAt(operands, at)
  const isHead = /^(?:head|top)$/i.test(wordAt(operands, at) ?? '')
  const isSort = /^sort$/i.test(wordAt(operands, at) ?? '')
  if (!isHead && !isSort) return { start, end: start, text: '| ' }
  return { start, end, text: isHead ? '| limit' : '| order' }
}
