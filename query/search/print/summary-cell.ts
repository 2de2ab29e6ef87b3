// One cell of a summary table as it is printed.
import { z } from 'zod'
import type { OutputColumn } from '../../language/compiled.ts'
import { type CellStyle, formatNumber, formatTime } from './cell-text.ts'

const valueSchema = z.union([z.string(), z.number(), z.null()])

/** `given`: the value as it comes from the store. */
export function printSummaryCell(column: OutputColumn, given: unknown, style: CellStyle): string {
  const value = valueSchema.parse(given ?? null)
  if (value === null) return ''
  switch (column.cell) {
    case 'text':
      return String(value)
    case 'number':
      return formatNumber(value)
    case 'date':
      return formatTime(Number(value), style)
  }
}
