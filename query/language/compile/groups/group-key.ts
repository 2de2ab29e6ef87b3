// A key of `group by` (search-language#group-by): the value of a column, its formatted text, or a
// text in its place where it is missing.
import { keyTitle } from '../../stages/group-by.ts'
import type { GroupKey } from '../../tree.ts'
import { sqlPresent, TRUE } from '../boolean-sql.ts'
import { shownText } from '../columns/value-text.ts'
import type { CompileContext } from '../compile-context.ts'
import { formatSql } from '../formats/format-sql.ts'
import type { TableColumn } from '../plan/plan.ts'
import type { Operand } from '../tests/operand.ts'
import type { AggregateInput } from './aggregate-input.ts'
import { type Key, keySql, perLogList } from './key-sql.ts'

export type CompiledKey = Key & { readonly title: string; readonly synonyms: readonly string[] }

export function compileKey(
  key: GroupKey,
  input: AggregateInput,
  context: CompileContext,
): CompiledKey {
  const names = { title: keyTitle(key), synonyms: [key.column.name] }
  return { ...names, ...keyOf(key, input, context) }
}

export function keyColumn({ cell, title, synonyms }: CompiledKey, index: number): TableColumn {
  return { id: `k${index}`, title, synonyms, cell }
}

function keyOf(
  { column, format, missingText }: GroupKey,
  input: AggregateInput,
  context: CompileContext,
): Key {
  const operand = input.operand(column)
  if (!format) return plainKey(operand, missingText, context)
  const text = formatSql(format, operand, input.row(format.start), context)
  const { exists } = keySql(operand, context.params, 'one')
  const isAlways = exists === TRUE || readsRow(format.type)
  return textKey(isAlways ? text : `if(${exists}, ${text}, '')`, missingText, context)
}

/** Without a format. */
export function plainKey(
  operand: Operand,
  missingText: string | null,
  context: CompileContext,
): Key {
  const { params } = context
  if (missingText === null) return keySql(operand, params, 'several')
  const { exists } = keySql(operand, params, 'one')
  if (operand.kind !== 'perLog') {
    return textKey(`if(${exists}, ${shownText(operand, context)}, '')`, missingText, context)
  }
  const texts = `if(${exists}, ${perLogList(operand, params)}, [${params.text(missingText)}])`
  return { cell: 'text', sql: `arrayJoin(${texts})`, exists: missingText === '' ? exists : TRUE }
}

/** These put the text together from any columns: the key column need not exist. */
function readsRow(type: string): boolean {
  return type === 'simple' || type === 'expression' || type === 'query'
}

/** An empty text is a missing key. */
function textKey(text: string, missingText: string | null, { params }: CompileContext): Key {
  if (missingText === null) return { cell: 'text', sql: text, exists: sqlPresent(text) }
  return {
    cell: 'text',
    sql: `if(${text} = '', ${params.text(missingText)}, ${text})`,
    exists: missingText === '' ? sqlPresent(text) : TRUE,
  }
}
