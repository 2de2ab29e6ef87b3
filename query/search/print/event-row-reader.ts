// Rows of CompiledEvents.sql as they come from the store: arrays in the order of WHOLE
// (language/compile/event-result.ts), then the texts.
import { z } from 'zod'
import { readShownColumns } from '../../../schemas/shown-columns.ts'
import type { EventRow } from '../../language/compiled.ts'

const text = z.string()
const number = z.coerce.number()
const place = [text, number] as const
const whole = [text, text, text, text, text, number, text, text, text, text, text] as const
/** Columns of a row before its texts. */
export const ROW_COLUMNS = place.length + whole.length
const rowSchema = z
  .tuple([...place, ...whole])
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
    columns: readShownColumns({
      rest: row[8],
      names: row[9],
      others: row[10],
      idNames: row[11],
      ids: row[12],
    }),
    texts: row[13] ?? [],
  }
}
