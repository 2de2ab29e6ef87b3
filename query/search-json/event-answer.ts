// Rows of events becoming JSON.

import { z } from 'zod'
import { printFolder } from '../../schemas/names/log-path.ts'
import type { EventAnswer } from '../../schemas/search-json/answers.ts'
import type { EventPlace } from '../language/event-place.ts'
import type { CellStyle } from '../search/print/cell-text.ts'
import { type LogNames, readBuiltInCell } from '../search/print/event-cells.ts'
import { ROW_COLUMNS, readEventRow } from '../search/print/event-row-reader.ts'
import type { PlaceCodec } from './place-codec.ts'
import { printMs, printNanos } from './print-time.ts'

const placeSchema = z.tuple([
  z.coerce.number(),
  z.coerce.number(),
  z.coerce.number(),
  z.coerce.number(),
])

export type PlacedEvent = {
  readonly place: EventPlace
  readonly logId: number
  readonly host: string
  readonly source: string
  readonly event: EventAnswer
  /** UTF-16 units, about. */
  readonly length: number
}

export type EventReader = (values: readonly unknown[]) => PlacedEvent

export function makeEventReader(context: {
  readonly names: ReadonlyMap<number, LogNames>
  readonly style: CellStyle
  readonly places: PlaceCodec
}): EventReader {
  const { names, style, places } = context
  return (values) => {
    const row = readEventRow(values.slice(0, ROW_COLUMNS))
    const [partition, offset, index, receivedMs] = placeSchema.parse(values.slice(ROW_COLUMNS))
    const place = { timestampNs: row.timestampNs, partition, offset, index }
    const log = names.get(row.logId)
    const columns = Object.fromEntries(row.columns)
    const event: EventAnswer = {
      id: places.printEvent(place),
      timestamp: printNanos(row.timestampNs),
      received: printMs(receivedMs),
      log: log?.name ?? '',
      folder: log === undefined ? '' : printFolder(log.folder),
      appTags: [...(log?.appTags ?? [])],
      host: row.host,
      source: row.source,
      message: readBuiltInCell(row, 'message', names, style),
      size: row.size,
      columns,
    }
    const { logId, host, source } = row
    return { place, logId, host, source, event, length: lengthOf(event) }
  }
}

function lengthOf({ message, columns }: EventAnswer): number {
  let length = message.length + 300
  for (const [name, value] of Object.entries(columns)) length += name.length + value.length + 6
  return length
}
