import { z } from 'zod'
import type { AlertRow } from '../../../infra/database/rows/monitor-tables.ts'

const timeWindow = z.object({ startMs: z.number().nullable(), endMs: z.number().nullable() })

/** Of the search that shows an alert's rows. */
export function alertWindow({ time_window }: Pick<AlertRow, 'time_window'>) {
  return timeWindow.parse(JSON.parse(time_window))
}
