// contains, starts with, ends with: of texts, letter case ignored. False for a missing value ('').
import { foldCase, foldExpression } from '../../../../schemas/store/text-index.ts'
import type { TextOperator } from '../../tree.ts'
import type { SqlParams } from '../sql-params.ts'

export function textTest(
  text: string,
  operator: TextOperator,
  value: string,
  params: SqlParams,
): string {
  if (value === '') return `${text} != ''`
  const given = params.text(foldCase(value))
  const own = foldExpression(text)
  if (operator === 'contains') return `(position(${own}, ${given}) > 0)`
  return operator === 'starts with' ? `startsWith(${own}, ${given})` : `endsWith(${own}, ${given})`
}
