// Tests and words of a filter that somebody may have meant otherwise: unknown columns, values that
// are columns, quotation marks and operators of other languages.
import type { ColumnNames } from '../column-names.ts'
import { patternText } from '../parse/input.ts'
import { printScopeName } from '../print/print-words.ts'
import type { QueryCatalog } from '../resolve/query-catalog.ts'
import type {
  Check,
  ColumnRef,
  Filter,
  Query,
  Scope,
  ScopeItem,
  Test,
  Value,
  Word,
} from '../tree.ts'
import { doubtsOfBrackets } from './check-brackets.ts'
import type { CheckedRows, ColumnCheck } from './check-column.ts'
import { type Doubt, doubtfulNeighbours, SCOPE_SHAPE, searchedDoubt } from './check-neighbours.ts'
import { blockAsText, quotedWildcard, quotedWildcardWord } from './doubtful-values.ts'
import type { Edit } from './edit.ts'
import { colonEdit, parsedColumnEdit, quotesEdit, regexpEdit, wordEdit } from './filter-edits.ts'
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
          this.#commaEdit(item, second),
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

  #commaEdit({ start, end }: ScopeItem, second: string): Edit | undefined {
    const written = this.#deps.text.slice(start, end)
    const at = written.search(new RegExp(`\\s+${second.slice(0, second.indexOf('.'))}\\.`))
    return at < 0 ? undefined : { start: start + at, end: start + at, text: ',' }
  }

  /** Of `where` and `if`. */
  rows(filter: Filter, rows: CheckedRows): void {
    this.#walk(filter, rows, undefined)
  }

  #walk(filter: Filter, rows: CheckedRows, chain: readonly Scope[] | undefined): void {
    switch (filter.kind) {
      case 'everything':
        return
      case 'phrase': {
        const doubt = quotedWildcardWord(filter)
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
          this.#walk(operand, rows, chain)
          if (filter.kind !== 'and') continue
          const doubt = doubtfulNeighbours(operands, at, rows.names, this.#deps.text)
          if (doubt !== undefined) this.#warn(doubt, operand.start)
        }
      }
    }
  }

  #word(word: Word, rows: CheckedRows): void {
    const doubt = this.#doubtOfWord(word, rows)
    if (doubt !== undefined) this.#warn(doubt, word.start)
  }

  #warn({ code, message, edit }: Doubt, start: number): void {
    this.#deps.findings.warn(code, message, start, edit)
  }

  #doubtOfWord({ pattern, start, end }: Word, { names }: CheckedRows): Doubt | undefined {
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
      const test = writeTest(name, value, next)
      const write = foreignColumn(name) ?? `it is written ${test}`
      const message = `'${word}' is searched as a word: ${write}`
      return foreignDoubt(message, colonEdit(span, word, text))
    }
    if (next === '(') {
      const message = `'${word}(' calls nothing: there are no functions in a filter, the words are searched`
      return foreignDoubt(message)
    }
    if (SCOPE_SHAPE.test(word) && !names.has(word))
      return {
        ...searchedDoubt(word, `a scope stands after in: in ${word}`),
        edit: this.#isLast(end) ? { ...span, text: `in ${word}` } : undefined,
      }
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

  #test({ column, check }: Test, rows: CheckedRows): void {
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
        '\'~\' is read as a part of the value: a regular expression is written column matches "…"',
        regexpEdit(column.end, span, text, this.#deps.text.slice(end)),
      )
    if (this.#deps.text.charAt(end) === '(')
      return foreignDoubt(`'${text}(' calls nothing: there are no functions in a filter`)
    if (/^[\w.]+;$/.test(text))
      return foreignDoubt(`';' is read as a part of the value: write ${text.slice(0, -1)}`, {
        ...span,
        text: text.slice(0, -1),
      })
    if (!isCompared || !names.has(text)) return undefined
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
