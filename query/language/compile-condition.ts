// A filter as one condition over the table `events` with its values written out, for statements
// that outlive their caller: what is deleted is hidden by it, and removed by it. Pure.
import { sqlAnd } from './compile/boolean-sql.ts'
import type { ParamType } from './compile/sql-params.ts'
import { type FilterInput, makeStatement, planFilter } from './compile-filter.ts'

const PLACEHOLDER = /\{(p\d+):([A-Za-z0-9()]+)\}/g

/** Undefined: it needs more than a condition. Throws Failure `search.query`. */
export function compileCondition(input: FilterInput): string | undefined {
  const { plan, context } = planFilter(input)
  const condition = sqlAnd([...plan.bounds, ...plan.conditions])
  const { sql, params } = makeStatement(condition, context)
  if (sql !== condition || /\bSELECT\b/.test(sql)) return undefined
  // No text of a query stands in the SQL, so nothing else looks like a placeholder.
  return sql.replace(PLACEHOLDER, (_, name: string, type: ParamType) =>
    printValue(params[name], type),
  )
}

function printValue(value: unknown, type: ParamType): string {
  switch (type) {
    case 'String':
      return printText(String(value))
    case 'Int64':
    case 'UInt64':
      return `to${type}(${printText(String(value))})`
    case 'Float64':
      return `toFloat64(${printText(String(value))})`
    case 'Array(UInt32)':
    case 'Array(UInt64)':
      return `CAST([${listOf(value)
        .map((one) => BigInt(String(one)))
        .join(', ')}], '${type}')`
    case 'Array(String)':
      return `CAST([${listOf(value)
        .map((one) => printText(String(one)))
        .join(', ')}], '${type}')`
    case 'Array(Array(String))': {
      const lists = listOf(value).map(
        (list) =>
          `[${listOf(list)
            .map((one) => printText(String(one)))
            .join(', ')}]`,
      )
      return `CAST([${lists.join(', ')}], '${type}')`
    }
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** As ClickHouse reads it back: quotes, backslashes and control characters are escaped. */
export function printText(text: string): string {
  const escaped = [...text].map((character) => {
    if (character === '\\' || character === "'") return `\\${character}`
    const code = character.charCodeAt(0)
    return code < 0x20 || code === 0x7f ? `\\x${code.toString(16).padStart(2, '0')}` : character
  })
  return `'${escaped.join('')}'`
}
