// Dates and their time zone in every answer: those of the system, but for a zone that a call asks
// for.
import type { Settings } from '../../infra/metastore/settings/port.ts'
import { compileDateFormat } from '../../schemas/time/date-format.ts'
import { timeZone } from '../../schemas/time/time-zone.ts'
import type { CellStyle } from '../search/print/cell-text.ts'

export function readStyle(metastore: Settings, zoneName?: string): CellStyle {
  return {
    dateFormat: compileDateFormat(metastore.setting('system.dateFormat')),
    zone: timeZone(zoneName ?? metastore.setting('system.timeZone')),
  }
}
