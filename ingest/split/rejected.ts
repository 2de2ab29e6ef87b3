// An event that the listener rejected, or that the store can never take, as an event of the log System->rejected
// (decisions 2.3 and 3.10): its bytes are kept, its text is its message.
import { RAW_LAYOUT } from '../../schemas/event-layout.ts'
import { REJECTED_LOG, SYSTEM_FOLDER } from '../../schemas/log-path.ts'
import { cleanHost, normalizeAddress } from './source-address.ts'
import type { SplitEvent } from './split-event.ts'

/** Why, where it came from and when; `reason` a code of schemas/block.ts or of the writer. */
export type RejectedEvent = {
  readonly body: Buffer
  readonly start: number
  readonly end: number
  readonly reason: string
  readonly accountName: string
  readonly receivedMs: number
  readonly hostName: string
  readonly peer: string
}

const FOLDER: readonly string[] = [SYSTEM_FOLDER]

/** Fills `out`; `raw` must be stored. Bytes that are no UTF-8 are U+FFFD in the message. */
export function splitRejected(out: SplitEvent, event: RejectedEvent): void {
  out.folder = FOLDER
  out.logName = REJECTED_LOG
  out.typeWords = ''
  out.host = cleanHost(event.hostName) || normalizeAddress(event.peer)
  out.timestampMs = event.receivedMs
  out.timestampNanos = 0
  out.message = event.body.toString('utf8', event.start, event.end)
  out.rest = `\x1f${event.reason}\x1f${event.accountName}`
  out.columnNames[0] = 'reason'
  out.columnKinds[0] = 'text'
  out.columnValues[0] = event.reason
  out.columnNames[1] = 'account'
  out.columnKinds[1] = 'text'
  out.columnValues[1] = event.accountName
  out.columnCount = 2
  out.layout = RAW_LAYOUT
  out.isStoredRaw = true
  out.size = event.end - event.start
}
