// The format expression (search-language#formats): `+ - * / %`, parentheses, numbers,
// `column.<name>`. A part that is no number and a division by zero give nothing.
import { raiseQuery } from '../../parse/raise-query.ts'
import { numericValue } from '../columns/value-text.ts'
import type { CompileContext } from '../compile-context.ts'
import type { RowColumns } from './row-columns.ts'
import { columnAt } from './template.ts'

const MAX_OPERATIONS = 200
const MAX_DEPTH = 50

/** Nullable(Float64), never infinite. `start`: where the expression stands in the query. */
export function expressionSql(
  text: string,
  start: number,
  row: RowColumns,
  context: CompileContext,
): string {
  const sql = new ExpressionReader(text, start, row, context).read()
  return `arrayFirst(x -> isFinite(x), [${sql}, CAST(NULL, 'Nullable(Float64)')])`
}

class ExpressionReader {
  readonly #text: string
  readonly #start: number
  readonly #row: RowColumns
  readonly #context: CompileContext
  #at = 0
  #operations = 0
  #depth = 0

  constructor(text: string, start: number, row: RowColumns, context: CompileContext) {
    this.#text = text
    this.#start = start
    this.#row = row
    this.#context = context
  }

  read(): string {
    const sql = this.#sum()
    this.#skipSpace()
    if (this.#at < this.#text.length) this.#raise('an operator + - * / % is expected')
    return sql
  }

  #sum(): string {
    let sql = this.#product()
    for (let sign = this.#take('+-'); sign !== ''; sign = this.#take('+-')) {
      sql = `(${sql} ${sign} ${this.#product()})`
    }
    return sql
  }

  #product(): string {
    let sql = this.#primary()
    for (let sign = this.#take('*/%'); sign !== ''; sign = this.#take('*/%')) {
      const right = this.#primary()
      sql = sign === '*' ? `(${sql} * ${right})` : `(${sql} ${sign} nullIf(${right}, 0))`
    }
    return sql
  }

  #primary(): string {
    this.#depth += 1
    if (this.#depth > MAX_DEPTH) this.#raise(`at most ${MAX_DEPTH} levels are allowed`)
    const sql = this.#value()
    this.#depth -= 1
    return sql
  }

  #value(): string {
    if (this.#take('(') !== '') {
      const sql = this.#sum()
      if (this.#take(')') === '') this.#raise(') is expected')
      return sql
    }
    if (this.#take('-') !== '') return `negate(${this.#primary()})`
    this.#skipSpace()
    const number = /^\d+(?:\.\d+)?/.exec(this.#text.slice(this.#at))?.[0]
    if (number !== undefined) {
      this.#at += number.length
      return `toNullable(${this.#context.params.add(Number(number), 'Float64')})`
    }
    const found = columnAt(this.#text, this.#at, this.#row)
    if (!found) return this.#raise('a number, column.<name> or ( is expected')
    this.#at = found.end
    const operand = this.#row.find(found.name)
    return operand ? numericValue(operand) : "CAST(NULL, 'Nullable(Float64)')"
  }

  /** One of the signs, or ''. */
  #take(signs: string): string {
    this.#skipSpace()
    const sign = this.#text.charAt(this.#at)
    if (sign === '' || !signs.includes(sign)) return ''
    this.#at += 1
    this.#operations += 1
    if (this.#operations > MAX_OPERATIONS) {
      this.#raise(`at most ${MAX_OPERATIONS} operations are allowed`)
    }
    return sign
  }

  #skipSpace(): void {
    while (/\s/.test(this.#text.charAt(this.#at))) this.#at += 1
  }

  #raise(reason: string): never {
    // After the quote; escapes before the place are not counted.
    return raiseQuery(`in the expression, ${reason}`, this.#start + 1 + this.#at)
  }
}
