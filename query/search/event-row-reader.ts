// Rows of CompiledEvents.sql as they come from the store: arrays in the order of EventRow's fields.
import { z } from 'zod'
import type { EventRow } from '../language/compiled.ts'

const text = z.string()
const rowSchema = z.tuple([
  text,
  z.coerce.number(),
  text,
  text,
  text,
  text,
  text,
  z.coerce.number(),
  z.record(text, text),
  z.array(text),
  z.array(text),
  z.array(z.enum(['LowCardinality(String)', 'String', 'Float64', 'Bool'])),
])

export function readEventRow(values: readonly unknown[]): EventRow {
  const row = rowSchema.parse(values)
  return {
    timestampNs: row[0],
    logId: row[1],
    host: row[2],
    source: row[3],
    message: row[4],
    layout: row[5],
    raw: row[6],
    size: row[7],
    ids: row[8],
    paths: row[9],
    values: row[10].map((value, i) => (row[11][i] === 'Float64' ? withExponentSign(value) : value)),
    types: row[11],
  }
}

/** The store prints 1e30, JSON.stringify 1e+30. */
function withExponentSign(value: string): string {
  return value.replace(/e(?=\d)/, 'e+')
}
