// Tests and words of a filter that somebody may have meant otherwise: unknown columns, values that are columns, quotation marks and
// operators of other languages.
import type { ColumnNames } from '../column-names.ts'
import { patternText } from '../parse/input.ts'
import type { ColumnCatalog } from '../parse/parse-context.ts'
import type { Check, Filter, Query, Scope, Test, Value, Word } from '../tree.ts'
import type { CheckedRows, ColumnCheck } from './check-column.ts'
import type { Findings } from './findings.ts'
import { foreignColumn, foreignOperator, foreignWord } from './foreign.ts'

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
  readonly catalog: ColumnCatalog
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
    if (filter.kind === 'scoped') return this.source(filter.operand, [...chain, filter.scope])
    const names = this.#deps.catalog.inScopes(chain)
    this.#walk(filter, { names, isTable: false, isOpen: false }, chain)
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
        return this.#word(filter, rows)
      case 'not':
        return this.#walk(filter.operand, rows, chain)
      case 'scoped':
        return chain && this.source(filter, chain)
      case 'test':
        return this.#test(filter, rows)
      case 'and':
      case 'or': {
        const { operands } = filter
        for (const [at, operand] of operands.entries()) {
          this.#walk(operand, rows, chain)
          if (filter.kind === 'and') {
            this.#between(operands, at, rows)
            this.#stageWords(operands, at)
          }
        }
      }
    }
  }

  #word({ pattern, start, end }: Word, { names }: CheckedRows): void {
    const word = patternText(pattern)
    const { findings } = this.#deps
    const foreign = foreignWord(word)
    if (foreign !== undefined) return findings.warn('query.other_language', foreign, start)
    if (isSingleQuoted(word)) return this.#quotes(word, start)
    const [, name = '', value = ''] = /^[-!@+]?([\w.]+):(.*)$/.exec(word) ?? []
    const isColumn = name !== '' && (names.has(name) || COMMON.has(name.toLowerCase()))
    const next = this.#deps.text.charAt(end)
    if (isColumn && !value.startsWith('//') && (value !== '' || next === '"' || next === '(')) {
      const write = foreignColumn(name) ?? `it is written ${writeTest(name, value, next)}`
      return findings.warn(
        'query.other_language',
        `'${word}' is searched as a word: ${write}`,
        start,
      )
    }
    if (next === '(') {
      const message = `'${word}(' calls nothing: there are no functions in a filter, the words are searched`
      return findings.warn('query.other_language', message, start)
    }
    if (/^~\d*$|.~\d*$/.test(word)) {
      const message = `'${word}' is searched as it stands: near words are found with wildcards, such as tim*ut`
      return findings.warn('query.other_language', message, start)
    }
    if (/^\+[\p{L}_]/u.test(word)) {
      const message = `'${word}' is searched as it stands: every word must be there, write ${word.slice(1)}`
      return findings.warn('query.other_language', message, start)
    }
    if (/^[-!][\p{L}_]/u.test(word)) {
      const message = `'${word}' is searched as it stands: to leave out events with it write not ${word.slice(1)}`
      findings.warn('query.other_language', message, start)
    }
  }

  /** `message like "%x%"`: a known column, an operator of another language, and a value. */
  #between(operands: readonly Filter[], at: number, { names }: CheckedRows): void {
    const [before, operator, after] = [operands[at - 1], operands[at], operands[at + 1]]
    if (operator?.kind !== 'word' || before?.kind !== 'word' || after === undefined) return
    if (after.kind !== 'word' && after.kind !== 'phrase' && after.kind !== 'not') return
    if (!names.has(patternText(before.pattern))) return
    const message = foreignOperator(patternText(operator.pattern))
    if (message !== undefined)
      this.#deps.findings.warn('query.other_language', message, operator.start)
  }

  /** `error order by timestamp`, `error limit 10`, `select * from logs`. */
  #stageWords(operands: readonly Filter[], at: number): void {
    const [first, second] = [operands[at], operands[at + 1]]
    if (first?.kind !== 'word') return
    const word = patternText(first.pattern).toLowerCase()
    const next = second?.kind === 'word' ? patternText(second.pattern).toLowerCase() : ''
    const { findings } = this.#deps
    if (
      (/^(?:order|group|sort|stats)$/.test(word) && next === 'by') ||
      (/^(?:limit|head|top)$/.test(word) && /^\d+$/.test(next))
    ) {
      const message = `'${word} ${next}' is searched as words here: stages stand after |`
      return findings.warn('query.other_language', message, first.start)
    }
    if (
      word === 'select' &&
      at === 0 &&
      operands.some((it) => it.kind === 'word' && patternText(it.pattern).toLowerCase() === 'from')
    ) {
      const message =
        "this is searched word by word: SQL's select … from … where … is written error in log.web | list timestamp, message"
      findings.warn('query.other_language', message, first.start)
    }
  }

  #test({ column, check }: Test, rows: CheckedRows): void {
    this.#deps.columns.check(column, rows)
    if (check.kind === 'subQuery') return this.#deps.checkQuery(check.query)
    const isCompared = check.kind === 'compare'
    for (const value of valuesOf(check)) this.#value(value, rows.names, isCompared)
  }

  #value({ isQuoted, pattern, start, end }: Value, names: ColumnNames, isCompared: boolean): void {
    if (isQuoted) return
    const text = patternText(pattern)
    if (isSingleQuoted(text)) return this.#quotes(text, start)
    const { findings } = this.#deps
    if (text === '~' || text.startsWith('~')) {
      const message =
        '\'~\' is read as a part of the value: a regular expression is written column matches "…"'
      return findings.warn('query.other_language', message, start)
    }
    if (this.#deps.text.charAt(end) === '(') {
      const message = `'${text}(' calls nothing: there are no functions in a filter`
      return findings.warn('query.other_language', message, start)
    }
    if (/^[\w.]+;$/.test(text)) {
      const message = `';' is read as a part of the value: write ${text.slice(0, -1)}`
      return findings.warn('query.other_language', message, start)
    }
    if (isCompared && names.has(text)) {
      const message = `'${text}' is a column, and is compared as a text here: column.${text} compares with what it holds, "${text}" with the text`
      findings.warn('query.column_as_text', message, start)
    }
  }

  #quotes(word: string, start: number): void {
    const message = `'…' are not quotation marks here, they are searched for: write "${word.replace(/^'|'$/g, '')}"`
    this.#deps.findings.warn('query.quotation_marks', message, start)
  }
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
    case 'subQuery':
      return []
  }
}
