// Tests and words of a filter that somebody may have meant otherwise: unknown columns, values that
// are columns, quotation marks and operators of other languages.
import { builtInColumn } from '../built-in-columns.ts'
import type { ColumnNames } from '../column-names.ts'
import { patternText } from '../parse/input.ts'
import { printScopeName } from '../print/print-words.ts'
import { NO_PARSED, type QueryCatalog } from '../resolve/query-catalog.ts'
import type {
  And,
  Check,
  ColumnRef,
  Filter,
  Or,
  Query,
  Scope,
  ScopeItem,
  Test,
  Value,
  Word,
} from '../tree.ts'
import { doubtsOfBrackets } from './check-brackets.ts'
import type { CheckedRows, ColumnCheck } from './check-column.ts'
import { doubtfulNeighbours } from './check-neighbours.ts'
import { blockAsText, nearNull, quotedWildcard, quotedWildcardWord } from './doubtful-values.ts'
import { colonAfterWords, joinedRegexp, unknownColon } from './doubts/colons.ts'
import { colonAlone, doubtOfLoneWord } from './doubts/lone-words.ts'
import { mixedOperators } from './doubts/mixed-or.ts'
import { doubtOfTest } from './doubts/never-true.ts'
import { patternAsWord } from './doubts/pattern-as-text.ts'
import { valueAfterOr } from './doubts/value-after-or.ts'
import { workedOut } from './doubts/worked-out.ts'
import type { Edit } from './edit.ts'
import {
  callEdit,
  colonEdit,
  parsedColumnEdit,
  quotesEdit,
  regexpEdit,
  wordEdit,
} from './filter-edits.ts'
import type { Findings } from './findings.ts'
import { describeCall } from './foreign/foreign-calls.ts'
import { foreignColumn, foreignWord, sameColumn } from './foreign/foreign-words.ts'
import { loneColumn } from './missing-parts.ts'
import { type Doubt, SCOPE_SHAPE, SECOND_SCOPE, searchedDoubt } from './neighbours.ts'

/** Columns that nearly every log has, written with a colon elsewhere. */
const COMMON = new Set([
  'level',
  'status',
  'service',
  'user',
  'severity',
  'logger',
  'method',
  '_msg',
  '_time',
  '_stream',
  '_exists_',
  'msg',
])

type FilterCheckDeps = {
  readonly text: string
  readonly catalog: QueryCatalog
  readonly findings: Findings
  readonly columns: ColumnCheck
  /** Of a query in brackets. */
  readonly checkQuery: (query: Query) => void
}

export class FilterCheck {
  readonly #deps: FilterCheckDeps

  constructor(deps: FilterCheckDeps) {
    this.#deps = deps
  }

  /** Of a source: what is known depends on the scopes around. */
  source(filter: Filter, chain: readonly Scope[] = []): void {
    if (filter.kind === 'scoped') {
      this.#scope(filter.scope)
      this.source(filter.operand, [...chain, filter.scope])
      return
    }
    const names = this.#deps.catalog.inScopes(chain)
    const kindsOf = this.#deps.catalog.kindsInScopes(chain)
    this.#walk(filter, { names, kindsOf, isTable: false, isOpen: false }, chain)
  }

  #scope({ include, exclude }: Scope): void {
    for (const item of [...include, ...exclude]) {
      const name = item.kind === 'scopeName' ? patternText(item.name) : ''
      const second = name.split(' ').find((word, at) => at > 0 && SCOPE_SHAPE.test(word))
      const [, stage] = /\s((?:limit|percentile) [\d.]+)$/i.exec(name) ?? []
      if (stage !== undefined)
        this.#deps.findings.warn(
          'query.searched_word',
          `'${name}' is one name: | is missing before ${stage}`,
          item.start,
        )
      if (second !== undefined)
        this.#deps.findings.warn(
          'query.searched_word',
          `'${name}' is one name: a comma is missing before ${second}`,
          item.start,
          this.#commaEdit(item),
        )
      const empty = this.#deps.catalog.emptyScope(item)
      if (empty === undefined) continue
      const near = empty.nearest === null ? '' : `, the nearest is '${empty.nearest}'`
      const message = `no log that you may see is ${empty.name}${near}`
      this.#deps.findings.warn(
        'query.no_log',
        message,
        item.start,
        nearLogEdit(item, empty.nearest),
      )
    }
  }

  #commaEdit({ start, end }: ScopeItem): Edit | undefined {
    const at = this.#deps.text.slice(start, end).search(SECOND_SCOPE)
    return at < 0 ? undefined : { start: start + at, end: start + at, text: ',' }
  }

  /** Of `where` and `if`. */
  rows(filter: Filter, rows: CheckedRows): void {
    this.#walk(filter, rows, undefined)
    const doubt = loneColumn(filter, rows)
    if (doubt !== undefined) this.#warn(doubt, filter.start)
  }

  #walk(filter: Filter, rows: CheckedRows, chain: readonly Scope[] | undefined): void {
    switch (filter.kind) {
      case 'everything':
        return
      case 'phrase': {
        const doubt = quotedWildcardWord(filter) ?? patternAsWord(filter, this.#deps.text)
        if (doubt !== undefined) this.#warn(doubt, filter.start)
        return
      }
      case 'word':
        this.#word(filter, rows)
        return
      case 'not':
        this.#walk(filter.operand, rows, chain)
        return
      case 'scoped':
        if (chain !== undefined) this.source(filter, chain)
        return
      case 'test':
        this.#test(filter, rows)
        return
      case 'and':
      case 'or': {
        const { operands } = filter
        for (const [at, operand] of operands.entries()) {
          const named =
            filter.kind === 'and' ? colonAfterWords(operands, at, rows.names) : undefined
          if (named !== undefined) {
            this.#warn(named, operand.start)
            continue
          }
          this.#walk(operand, rows, chain)
          const doubt = this.#doubtOfOperand(filter, at, rows)
          if (doubt !== undefined) this.#warn(doubt, operand.start)
        }
        const isStage = chain === undefined
        const mixed =
          filter.kind === 'or' ? mixedOperators(filter, this.#deps.text, isStage) : undefined
        if (mixed !== undefined) this.#warn(mixed, filter.start)
      }
    }
  }

  #doubtOfOperand({ kind, operands }: And | Or, at: number, rows: CheckedRows) {
    const { text, catalog } = this.#deps
    if (kind === 'or') return valueAfterOr(operands, at, rows.kindsOf, text)
    const isLog = (name: string) => catalog.isLog(name)
    return (
      colonAlone(operands, at, rows.names) ??
      doubtfulNeighbours(operands, at, rows, text) ??
      doubtOfLoneWord(operands, at, { text, names: rows.names, isLog })
    )
  }

  #word(word: Word, rows: CheckedRows): void {
    const doubt = this.#doubtOfWord(word, rows)
    if (doubt !== undefined) this.#warn(doubt, word.start)
  }

  #warn({ code, message, edit }: Doubt, start: number): void {
    this.#deps.findings.warn(code, message, start, edit)
  }

  #doubtOfWord(written: Word, { names }: CheckedRows): Doubt | undefined {
    const { pattern, start, end } = written
    const span = { start, end }
    const { text } = this.#deps
    const word = patternText(pattern)
    const foreign = foreignWord(word)
    if (foreign !== undefined) return foreignDoubt(foreign, wordEdit(span, word))
    if (isSingleQuoted(word)) return quotesDoubt(word, quotesEdit(text, start))
    const [, name = '', value = ''] = /^[-!@+]?([\w.]+):(.*)$/.exec(word) ?? []
    const isColumn = name !== '' && (names.has(name) || COMMON.has(name.toLowerCase()))
    const next = this.#deps.text.charAt(end)
    if (isColumn && !value.startsWith('//') && (value !== '' || next === '"' || next === '(')) {
      const edit = colonEdit(span, word, text)
      const known = foreignColumn(name)
      const isSaid = edit !== undefined && /^[^~]/.test(value)
      const test = isSaid ? edit.text.trim() : writeTest(sameColumn(name) ?? name, value, next)
      const way = edit === undefined ? '' : `, it is written ${test}`
      const write = known === undefined ? `it is written ${test}` : `${known}${way}`
      return foreignDoubt(`'${word}' is searched as a word: ${write}`, edit)
    }
    const [, spaced = ''] = /^([\w.]+):$/.exec(word) ?? []
    if ((names.has(spaced) || COMMON.has(spaced)) && /^\s+["\p{L}\p{N}-]/u.test(text.slice(end)))
      return foreignDoubt(`'${word}' is searched as a word: it is written ${spaced} = value`, {
        ...span,
        text: `${spaced} =`,
      })
    if (next === '(' && /^[\p{L}_]/u.test(word) && !SCOPE_SHAPE.test(word))
      return foreignDoubt(describeCall(word), callEdit(span, word, text))
    const asPattern = patternAsWord(written, text)
    if (asPattern !== undefined) return asPattern
    if (SCOPE_SHAPE.test(word) && !names.has(word))
      return {
        ...searchedDoubt(word, `a scope stands after in: in ${word}`),
        edit: this.#isLast(end) ? { ...span, text: `in ${word}` } : undefined,
      }
    if (word.toLowerCase() === 'exists')
      return searchedDoubt(word, 'a column stands before it, such as user exists')
    const unknown = unknownColon(word, span)
    if (unknown !== undefined) return unknown
    const joined = joinedRegexp(word, next, span)
    if (joined !== undefined) return joined
    if (/^~\d*$|.~\d*$/.test(word)) {
      const message = `'${word}' is searched as it stands: near words are found with wildcards, such as tim*ut`
      return foreignDoubt(message)
    }
    if (/^\+[\p{L}_]/u.test(word)) {
      const message = `'${word}' is searched as it stands: every word must be there, write ${word.slice(1)}`
      return foreignDoubt(message, { ...span, text: word.slice(1) })
    }
    if (/^[-!][\p{L}_]/u.test(word)) {
      const message = `'${word}' is searched as it stands: to leave out events with it write not ${word.slice(1)}`
      return foreignDoubt(message, { ...span, text: `not ${word.slice(1)}` })
    }
    return undefined
  }

  /** Nothing that a scope would be about comes after it. */
  #isLast(end: number): boolean {
    return /^\s*(?:$|[|)\]])/.test(this.#deps.text.slice(end))
  }

  #test(test: Test, rows: CheckedRows): void {
    const { column, check } = test
    const worked = workedOut(test, this.#deps.text, rows.names)
    if (worked !== undefined) {
      this.#warn(worked, column.start)
      this.#deps.columns.check(column, rows, 'test')
      return
    }
    const kinds = this.#isBuiltIn(column) ? NO_PARSED(column.name) : rows.kindsOf(column.name)
    const doubt = doubtOfTest(test, { text: this.#deps.text, names: rows.names, kinds })
    if (doubt !== undefined) this.#warn(doubt, column.start)
    // It is no column.
    if (doubt?.code === 'query.unknown_column') return
    this.#deps.columns.check(column, rows, 'test')
    if (check.kind === 'column') this.#deps.columns.check(check.column, rows)
    if (check.kind === 'subQuery') {
      for (const { doubt, at } of doubtsOfBrackets(column, check.query)) this.#warn(doubt, at.start)
      this.#deps.checkQuery(check.query)
      return
    }
    const block = blockAsText(column, check)
    if (block !== undefined) this.#warn(block, column.start)
    const isCompared = check.kind === 'compare'
    if (check.kind === 'list' || (isCompared && /^!?=$/.test(check.operator)))
      for (const value of valuesOf(check)) {
        const doubt = quotedWildcard(value)
        if (doubt !== undefined) this.#warn(doubt, value.start)
      }
    for (const value of valuesOf(check)) this.#value(value, column, rows.names, isCompared)
  }

  #isBuiltIn({ name, origin }: ColumnRef): boolean {
    return origin !== 'parsed' && builtInColumn(name) !== undefined
  }

  #value(value: Value, column: ColumnRef, names: ColumnNames, isCompared: boolean): void {
    const doubt = value.isQuoted ? undefined : this.#doubtOfValue(value, column, names, isCompared)
    if (doubt !== undefined) this.#warn(doubt, value.start)
  }

  #doubtOfValue(
    { pattern, start, end }: Value,
    column: ColumnRef,
    names: ColumnNames,
    isCompared: boolean,
  ): Doubt | undefined {
    const span = { start, end }
    const text = patternText(pattern)
    if (isSingleQuoted(text)) return quotesDoubt(text, quotesEdit(this.#deps.text, start))
    if (text.startsWith('~'))
      return foreignDoubt(
        '\'~\' is read as a part of the value: a regular expression is written column matches "…", which finds it in any part of the value: ^(…)$ is of the whole one, as LogQL reads labels',
        regexpEdit(column.end, span, text, this.#deps.text.slice(end)),
      )
    if (this.#deps.text.charAt(end) === '(') return foreignDoubt(describeCall(text))
    if (/^[\w.]+;$/.test(text))
      return foreignDoubt(`';' is read as a part of the value: write ${text.slice(0, -1)}`, {
        ...span,
        text: text.slice(0, -1),
      })
    const near = isCompared ? nearNull(text, span) : undefined
    if (near !== undefined) return near
    if (!isCompared || !names.has(text) || foreignColumn(column.name) !== undefined)
      return undefined
    const message = `'${text}' is a column, and is compared as a text here: column.${text} compares with what it holds, "${text}" with the text`
    return { code: 'query.column_as_text', message, edit: parsedColumnEdit(span, text) }
  }
}

function nearLogEdit(item: ScopeItem, nearest: string | null): Edit | undefined {
  if (nearest === null || item.kind !== 'scopeName') return undefined
  const { start, end, of } = item
  return { start, end, text: `${of}.${printScopeName(nearest)}` }
}

function foreignDoubt(message: string, edit?: Edit): Doubt {
  return { code: 'query.other_language', message, edit }
}

function quotesDoubt(word: string, edit: Edit | undefined): Doubt {
  const write = word.replace(/^'|'$/g, '')
  const message = `'…' are not quotation marks here, they are searched for: write "${write}"`
  return { code: 'query.quotation_marks', message, edit }
}

function writeTest(name: string, value: string, next: string): string {
  const [, operator = '', bare = ''] = /^(>=|<=|>|<)?(.*)$/.exec(value) ?? []
  if (value === '~') return `${name} matches "…"`
  if (next === '(') return `${name} in (a, b)`
  if (next === '"') return `${name} contains "…"`
  if (/^[[{]/.test(bare)) return `${name} between 400 and 499`
  return `${name} ${operator || '='} ${bare}`
}

/** Also where a space has cut it. */
function isSingleQuoted(word: string): boolean {
  return word.length > 1 && word.startsWith("'")
}

function valuesOf(check: Check): readonly Value[] {
  switch (check.kind) {
    case 'compare':
    case 'text':
    case 'matches':
    case 'within':
      return [check.value]
    case 'list':
      return check.values
    case 'between':
      return [check.low, check.high]
    case 'exists':
    case 'column':
    case 'subQuery':
      return []
  }
}
