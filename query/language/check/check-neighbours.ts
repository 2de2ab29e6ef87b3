// Words beside each other that may be a test, a scope or a stage with a mistake in it.
import type { ColumnNames } from '../column-names.ts'
import { nearestWord } from '../nearest-word.ts'
import { patternText } from '../parse/input.ts'
import { STAGE_WORDS } from '../stages/all-stages.ts'
import type { Filter, Span } from '../tree.ts'
import { brokenLast } from './broken-last.ts'
import type { Edit } from './edit.ts'
import { operatorEdit } from './filter-edits.ts'
import type { WarningCode } from './findings.ts'
import { foreignOperator } from './foreign.ts'

export type Doubt = {
  readonly code: WarningCode
  readonly message: string
  /** A definite way out. */
  readonly edit?: Edit | undefined
}

const SCOPE_KINDS = ['log', 'folder', 'app', 'apptag', 'server', 'host', 'file', 'source', 'type']
/** `log.access` */
export const SCOPE_SHAPE = new RegExp(`^(?:${SCOPE_KINDS.join('|')})\\.`, 'i')
/** What stands between a column and a value, in words. */
const OPERATORS = ['exists', 'between', 'contains', 'matches', 'starts', 'ends', 'within']
/** Words of ordinary texts that are one letter away from AND, OR and NOT. */
const COMMON_CAPITALS = new Set(['NO', 'ON', 'ANY', 'END', 'AT', 'NET', 'NOW', 'OUT', 'OF', 'OS'])
const MAX_NAME_WORDS = 4
const NO_SPAN: Span = { start: 0, end: 0 }

export function searchedDoubt(word: string, hint: string, edit?: Edit): Doubt {
  return { code: 'query.searched_word', message: `'${word}' is searched as a word: ${hint}`, edit }
}

/** Of the word at `at`, by those around it. */
export function doubtfulNeighbours(
  operands: readonly Filter[],
  at: number,
  names: ColumnNames,
  text: string,
): Doubt | undefined {
  const word = wordAt(operands, at)
  if (word === undefined) return undefined
  return (
    afterColumn(operands, at, names, { word, text }) ??
    misspelledLast(operands, at, word, text) ??
    brokenScope(operands, at, word) ??
    brokenJoin(operands, at, word) ??
    stageWithoutPipe(operands, at, names, word)
  )
}

/** `message like "%x%"`, `Bytes Sent betwen 1 and 5`, `size 500` */
function afterColumn(
  operands: readonly Filter[],
  at: number,
  names: ColumnNames,
  { word, text }: { readonly word: string; readonly text: string },
): Doubt | undefined {
  const column = columnBefore(operands, at, names)
  if (column === undefined) return undefined
  const next = operands[at + 1]
  const span = spanAt(operands, at)
  if (/^(?:-?\d+(?:\.\d+)?|null)$/i.test(word))
    return searchedDoubt(word, `a test of the column is written ${column} = ${word}`, {
      ...span,
      text: `= ${word}`,
    })
  if (next?.kind === 'test' || next?.kind === 'scoped') return undefined
  const foreign = foreignOperator(word)
  if (foreign !== undefined) {
    const edit = operatorEdit(span, word, text)
    return { code: 'query.other_language', message: foreign, edit }
  }
  const near = word.length > 2 ? nearestWord(word, OPERATORS) : undefined
  if (near === undefined) return undefined
  return searchedDoubt(word, `after the column '${column}' perhaps ${near} was meant`, {
    ...span,
    text: near,
  })
}

/** The longest name that ends before `at`. */
function columnBefore(
  operands: readonly Filter[],
  at: number,
  names: ColumnNames,
): string | undefined {
  let found: string | undefined
  const words: string[] = []
  for (let from = at - 1; from >= 0 && words.length < MAX_NAME_WORDS; from -= 1) {
    const word = wordAt(operands, from)
    if (word === undefined) break
    words.unshift(word)
    const name = words.join(' ').replace(/^(?:column|event)\./i, '')
    if (names.has(name)) found = name
  }
  return found
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
function brokenScope(operands: readonly Filter[], at: number, word: string): Doubt | undefined {
  if (word.toLowerCase() === 'in') {
    const next = wordAt(operands, at + 1)
    if (next === undefined && at === operands.length - 1)
      return searchedDoubt(word, 'a scope stands after in, such as in log.web')
    const [, kind = ''] = /^(\w+)\.\S/.exec(next ?? '') ?? []
    const near = kind === '' ? undefined : nearestWord(kind, SCOPE_KINDS)
    if (near === undefined) return undefined
    const { start } = spanAt(operands, at + 1)
    const edit = { start, end: start + kind.length, text: near }
    return searchedDoubt(word, `'${kind}' is no kind of scope, the nearest is '${near}'`, edit)
  }
  if (at !== 1 || operands[0]?.kind !== 'everything') return undefined
  const isStage = STAGE_WORDS.includes(word.toLowerCase())
  return searchedDoubt(
    word,
    isStage ? '| is missing before it' : '* beside it finds everything, and says nothing more',
    isStage ? pipeEdit(operands, at) : undefined,
  )
}

/** `NT (a or b)`, `a ORR b`, `NzT status = 500` */
function brokenJoin(operands: readonly Filter[], at: number, word: string): Doubt | undefined {
  const next = operands[at + 1]
  if (!/^[A-Za-z]{1,4}$/.test(word) || /^[A-Z]?[a-z]*$/.test(word) || COMMON_CAPITALS.has(word))
    return undefined
  const near = nearestWord(word, ['and', 'not', ...(word.length > 1 ? ['or'] : [])])
  if (near === undefined) return undefined
  const isReplaced =
    near.length === word.length && sorted(near) !== sorted(word.toLowerCase()) && word !== near
  if (isReplaced && next?.kind !== 'test' && next?.kind !== 'or') return undefined
  return searchedDoubt(word, `perhaps ${near.toUpperCase()} was meant`, {
    ...spanAt(operands, at),
    text: near.toUpperCase(),
  })
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
  if (at > 0 && STAGE_WORDS.includes(folded) && names.has(next) && next !== '')
    return searchedDoubt(
      word,
      `${folded} ${next} is a stage: | is missing before it`,
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

function spanAt(operands: readonly Filter[], at: number): Span {
  const operand = operands[at]
  const { start, end } = operand?.kind === 'not' ? operand.operand : (operand ?? NO_SPAN)
  return { start, end }
}

/** `head 10` and `top 10` are written otherwise, too. */
function pipeEdit(operands: readonly Filter[], at: number): Edit {
  const { start, end } = spanAt(operands, at)
  const isHead = /^(?:head|top)$/i.test(wordAt(operands, at) ?? '')
  const isSort = /^sort$/i.test(wordAt(operands, at) ?? '')
  if (!isHead && !isSort) return { start, end: start, text: '| ' }
  return { start, end, text: isHead ? '| limit' : '| order' }
}

/** Also after NOT, which takes the first of a test's words. */
function wordAt(operands: readonly Filter[], at: number): string | undefined {
  const operand = operands[at]
  const inner = operand?.kind === 'not' ? operand.operand : operand
  return inner?.kind === 'word' ? patternText(inner.pattern) : undefined
}

function sorted(word: string): string {
  return [...word].sort().join('')
}
