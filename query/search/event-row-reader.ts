// Rows of CompiledEvents.sql as they come from the store: arrays in the order of EventRow's fields.
import { z } from 'zod'
import type { EventRow } from '../language/compiled.ts'

const text = z.string()
const rowSchema = z
  .tuple([
    text,
    z.coerce.number(),
    text,
    text,
    text,
    text,
    text,
    z.coerce.number(),
    z.array(z.tuple([text, text])),
    z.array(z.tuple([text, z.enum(['LowCardinality(String)', 'String', 'Float64', 'Bool'])])),
    z.array(text),
  ])
  // Only where a cell is worked out by the store.
  .rest(z.array(text))

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
    ids: Object.fromEntries(row[8]),
    paths: row[9].map(([path]) => path),
    values: row[10].map((value, i) =>
      row[9][i]?.[1] === 'Float64' ? withExponentSign(value) : value,
    ),
    types: row[9].map(([, type]) => type),
    texts: row[11] ?? [],
  }
}

/** The store prints 1e30, JSON.stringify 1e+30. */
function withExponentSign(value: string): string {
  return value.replace(/e(?=\d)/, 'e+')
}
