// Tests and words of a filter that somebody may have meant otherwise: unknown columns, values that
// are columns, quotation marks and operators of other languages.
import type { ColumnNames } from '../column-names.ts'
import { patternText } from '../parse/input.ts'
import type { QueryCatalog } from '../resolve/query-catalog.ts'
import type { Check, Filter, Query, Scope, Test, Value, Word } from '../tree.ts'
import type { CheckedRows, ColumnCheck } from './check-column.ts'
import { type Doubt, doubtfulNeighbours, SCOPE_SHAPE, searchedDoubt } from './check-neighbours.ts'
import type { Findings } from './findings.ts'
import { foreignColumn, foreignWord } from './foreign.ts'

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
    this.#walk(filter, { names, isTable: false, isOpen: false }, chain)
  }

  #scope({ include, exclude }: Scope): void {
    for (const item of [...include, ...exclude]) {
      const name = item.kind === 'scopeName' ? patternText(item.name) : ''
      const [, second] = /\s(\S+)$/.exec(name) ?? []
      if (second !== undefined && SCOPE_SHAPE.test(second))
        this.#deps.findings.warn(
          'query.searched_word',
          `'${name}' is one name: a comma is missing before ${second}`,
          item.start,
        )
      const empty = this.#deps.catalog.emptyScope(item)
      if (empty === undefined) continue
      const near = empty.nearest === null ? '' : `, the nearest is '${empty.nearest}'`
      const message = `no log that you may see is ${empty.name}${near}`
      this.#deps.findings.warn('query.no_log', message, item.start)
    }
  }

  /** Of `where` and `if`. */
  rows(filter: Filter, rows: CheckedRows): void {
    this.#walk(filter, rows, undefined)
  }

  #walk(filter: Filter, rows: CheckedRows, chain: readonly Scope[] | undefined): void {
    switch (filter.kind) {
      case 'everything':
      case 'phrase':
        return
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
          this.#walk(operand, rows, chain)
          if (filter.kind !== 'and') continue
          const doubt = doubtfulNeighbours(operands, at, rows.names)
          if (doubt !== undefined)
            this.#deps.findings.warn(doubt.code, doubt.message, operand.start)
        }
      }
    }
  }

  #word(word: Word, rows: CheckedRows): void {
    const doubt = this.#doubtOfWord(word, rows)
    if (doubt !== undefined) this.#deps.findings.warn(doubt.code, doubt.message, word.start)
  }

  #doubtOfWord({ pattern, end }: Word, { names }: CheckedRows): Doubt | undefined {
    const word = patternText(pattern)
    const foreign = foreignWord(word)
    if (foreign !== undefined) return foreignDoubt(foreign)
    if (isSingleQuoted(word)) return quotesDoubt(word)
    const [, name = '', value = ''] = /^[-!@+]?([\w.]+):(.*)$/.exec(word) ?? []
    const isColumn = name !== '' && (names.has(name) || COMMON.has(name.toLowerCase()))
    const next = this.#deps.text.charAt(end)
    if (isColumn && !value.startsWith('//') && (value !== '' || next === '"' || next === '(')) {
      const write = foreignColumn(name) ?? `it is written ${writeTest(name, value, next)}`
      return foreignDoubt(`'${word}' is searched as a word: ${write}`)
    }
    if (next === '(') {
      const message = `'${word}(' calls nothing: there are no functions in a filter, the words are searched`
      return foreignDoubt(message)
    }
    if (SCOPE_SHAPE.test(word) && !names.has(word))
      return searchedDoubt(word, `a scope stands after in: in ${word}`)
    if (/^~\d*$|.~\d*$/.test(word)) {
      const message = `'${word}' is searched as it stands: near words are found with wildcards, such as tim*ut`
      return foreignDoubt(message)
    }
    if (/^\+[\p{L}_]/u.test(word)) {
      const message = `'${word}' is searched as it stands: every word must be there, write ${word.slice(1)}`
      return foreignDoubt(message)
    }
    if (/^[-!][\p{L}_]/u.test(word)) {
      const message = `'${word}' is searched as it stands: to leave out events with it write not ${word.slice(1)}`
      return foreignDoubt(message)
    }
    return undefined
  }

  #test({ column, check }: Test, rows: CheckedRows): void {
    this.#deps.columns.check(column, rows)
    if (check.kind === 'column') this.#deps.columns.check(check.column, rows)
    if (check.kind === 'subQuery') {
      this.#deps.checkQuery(check.query)
      return
    }
    const isCompared = check.kind === 'compare'
    for (const value of valuesOf(check)) this.#value(value, rows.names, isCompared)
  }

  #value(value: Value, names: ColumnNames, isCompared: boolean): void {
    const doubt = value.isQuoted ? undefined : this.#doubtOfValue(value, names, isCompared)
    if (doubt !== undefined) this.#deps.findings.warn(doubt.code, doubt.message, value.start)
  }

  #doubtOfValue(
    { pattern, end }: Value,
    names: ColumnNames,
    isCompared: boolean,
  ): Doubt | undefined {
    const text = patternText(pattern)
    if (isSingleQuoted(text)) return quotesDoubt(text)
    if (text.startsWith('~'))
      return foreignDoubt(
        '\'~\' is read as a part of the value: a regular expression is written column matches "…"',
      )
    if (this.#deps.text.charAt(end) === '(')
      return foreignDoubt(`'${text}(' calls nothing: there are no functions in a filter`)
    if (/^[\w.]+;$/.test(text))
      return foreignDoubt(`';' is read as a part of the value: write ${text.slice(0, -1)}`)
    if (!isCompared || !names.has(text)) return undefined
    const message = `'${text}' is a column, and is compared as a text here: column.${text} compares with what it holds, "${text}" with the text`
    return { code: 'query.column_as_text', message }
  }
}

function foreignDoubt(message: string): Doubt {
  return { code: 'query.other_language', message }
}

function quotesDoubt(word: string): Doubt {
  const write = word.replace(/^'|'$/g, '')
  const message = `'…' are not quotation marks here, they are searched for: write "${write}"`
  return { code: 'query.quotation_marks', message }
}

function writeTest(name: string, value: string, next: string): string {
  const [, operator = '', bare = ''] = /^(>=|<=|>|<)?(.*)$/.exec(value) ?? []
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
