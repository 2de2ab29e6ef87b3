// The order of values (search-language#column-tests, #order-by): numbers by value, then addresses
// by address, then priorities by rank, then other texts without letter case; missing values last in
// both directions. As columns to be worked out once, in one SELECT, and ORDER BY keys over them: a
// key that is NULL stands last, as the engine does it in both directions.
import { foldExpression } from '../../../../schemas/store/text-index.ts'
import { sqlAnd, TRUE } from '../boolean-sql.ts'
import type { CompileContext } from '../compile-context.ts'
import { keySql } from '../groups/key-sql.ts'
import { type TableColumn, tableOperand } from '../plan/plan.ts'
import { isNumberSql } from '../tests/number-bound.ts'
import { type Operand, valueText } from '../tests/operand.ts'
import { rankSql } from '../tests/priority.ts'
import type { ValueSource } from './column-sql.ts'

export type SortedValue = {
  /** `expression AS name`, each over those before it. */
  readonly columns: readonly string[]
  /** Names, the weightiest first; none when all rows are equal. */
  readonly keys: readonly string[]
}

const NO_REMAINDER = 'toDecimal256(0, 38)'

export function sortedValue(operand: Operand, context: CompileContext): SortedValue {
  switch (operand.kind) {
    case 'size':
    case 'date':
      return { columns: [], keys: [operand.sql] }
    case 'perLog':
      return ofTexts(keySql(operand, context.params, 'one').sql, undefined, context)
    case 'values':
      return ofSpellings(operand.spellings, context)
  }
}

function ofSpellings(
  spellings: readonly (readonly ValueSource[])[],
  context: CompileContext,
): SortedValue {
  const [sources, ...more] = spellings
  if (!sources) return { columns: [], keys: [] }
  // Among several spellings the first one counts, whatever the others hold.
  if (more.length > 0) return ofTexts(valueText(spellings), undefined, context)
  // At most one of them has a value.
  const double = sources.find(({ kind }) => kind === 'double')
  const texts = sources.filter((source) => source.kind === 'text')
  const text = texts.length === 0 ? undefined : valueText([texts])
  if (text === undefined || texts.every(({ isNumber }) => isNumber)) {
    return ofNumbers(text, double?.sql, context)
  }
  return ofTexts(text, double?.sql, context)
}

/** The sort keys of a column of a table. */
export function sortedColumn(column: TableColumn, context: CompileContext): SortedValue {
  return column.cell === 'number'
    ? { columns: [], keys: [column.id] }
    : sortedValue(tableOperand(column), context)
}

/** Texts that are numbers, and doubles. */
function ofNumbers(
  text: string | undefined,
  double: string | undefined,
  { subSelects }: CompileContext,
): SortedValue {
  const number = subSelects.name()
  if (text === undefined) return { columns: [`${double ?? 'NULL'} AS ${number}`], keys: [number] }
  const read = `toFloat64OrNull(${text})`
  const own = double === undefined ? read : `ifNull(${double}, ${read})`
  const more = subSelects.name()
  return {
    columns: [`${own} AS ${number}`, `${remainder(text, number, TRUE)} AS ${more}`],
    keys: [number, more],
  }
}

/** What a text is above the double nearest to it: orders numbers of more digits than a double
 *  holds. */
function remainder(text: string, number: string, isNumber: string): string {
  const decimal = (of: string) => `toDecimal256OrNull(${of}, 38)`
  const difference = `ifNull(${decimal(text)} - ${decimal(`toString(${number})`)}, ${NO_REMAINDER})`
  return `if(${sqlAnd([`length(${text}) > 15`, isNumber])}, ${difference}, ${NO_REMAINDER})`
}

/** Texts that may be numbers; `double`: where the value stands if it is no text. */
function ofTexts(
  text: string,
  double: string | undefined,
  { subSelects }: CompileContext,
): SortedValue {
  const columns: string[] = []
  const named = (sql: string) => {
    const name = subSelects.name()
    columns.push(`${sql} AS ${name}`)
    return name
  }
  const own = named(text)
  const isNumber = named(isNumberSql(own))
  const address = named(`toIPv6OrNull(${own})`)
  const folded = named(foldExpression(own))
  const rank = named(rankSql(folded))
  const kinds = [
    ...(double === undefined ? [] : [`isNotNull(${double})`, "'0'"]),
    ...[`${own} = ''`, 'NULL', isNumber, "'0'"],
    ...[`isNotNull(${address})`, `concat('1', hex(ifNull(${address}, toIPv6('::'))))`],
    ...[`${rank} != 0`, `concat('2', char(${rank}))`],
  ]
  const kind = named(`multiIf(${kinds.join(', ')}, concat('3', ${folded}))`)
  const read = `if(${isNumber}, toFloat64OrNull(${own}), 0)`
  const number = named(double === undefined ? read : `ifNull(${double}, ${read})`)
  const more = named(remainder(own, number, isNumber))
  return { columns, keys: [kind, number, more] }
}
