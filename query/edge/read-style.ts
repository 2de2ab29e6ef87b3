// Dates and their time zone in every answer: those of the system.
import type { Settings } from '../../infra/metastore/settings/port.ts'
import { compileDateFormat } from '../../schemas/time/date-format.ts'
import { timeZone } from '../../schemas/time/time-zone.ts'
import type { CellStyle } from '../search/print/cell-text.ts'

export function readStyle(metastore: Settings): CellStyle {
  return {
    dateFormat: compileDateFormat(metastore.setting('system.dateFormat')),
    zone: timeZone(metastore.setting('system.timeZone')),
  }
}
