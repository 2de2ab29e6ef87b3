// Makes an event of the log System->rejected from one that the listener rejected, or that the store
// can never take (decisions 2.3 and 3.10): its bytes are kept, its text is its message.
import { RAW_LAYOUT } from '../../schemas/event-layout.ts'
import { REJECTED_LOG, SYSTEM_FOLDER } from '../../schemas/names/log-path.ts'
import { printNames, REST_SEPARATOR } from '../../schemas/shown-columns.ts'
import { ByteBuffer } from '../bytes/byte-buffer.ts'
import { BodySource } from '../bytes/byte-source.ts'
import { checkUtf8, INVALID } from '../bytes/utf8.ts'
import { cleanHost, normalizeAddress } from './source-address.ts'
import type { SplitEvent } from './split-event.ts'

/** Why, where it came from and when; `reason` a code of schemas/block/schema.ts or of the
 *  writer. */
export type RejectedEvent = {
  readonly body: Buffer
  readonly start: number
  readonly end: number
  readonly reason: string
  /** How to read it again (listener/inputs/input.ts); '' as JSON. */
  readonly form: string
  readonly accountName: string
  readonly receivedMs: number
  readonly hostName: string
  readonly peer: string
}

const FOLDER: readonly string[] = [SYSTEM_FOLDER]
const REASON = 'reason'
const ACCOUNT = 'account'
/** Only of what did not come as JSON of logger.jsp. */
const FORM = 'form'
const NAMES = printNames([REASON, ACCOUNT])
const NAMES_WITH_FORM = printNames([REASON, ACCOUNT, FORM])

/** Fills `out`; `raw` must be stored. Bytes that are no UTF-8 are U+FFFD in the message. */
export function splitRejected(out: SplitEvent, event: RejectedEvent): void {
  out.folder = FOLDER
  out.logName = REJECTED_LOG
  out.typeWords = ''
  out.template = ''
  out.pattern = 0
  out.host = cleanHost(event.hostName) || normalizeAddress(event.peer)
  out.timestampMs = event.receivedMs
  out.timestampNanos = 0
  setMessage(out, event)
  out.rest.reset()
  out.rest.writeText(`${REST_SEPARATOR}${event.reason}${REST_SEPARATOR}${event.accountName}`)
  if (event.form !== '') out.rest.writeText(`${REST_SEPARATOR}${event.form}`)
  out.names = event.form === '' ? NAMES : NAMES_WITH_FORM
  out.columnCount = 0
  addColumn(out, REASON, event.reason)
  addColumn(out, ACCOUNT, event.accountName)
  if (event.form !== '') addColumn(out, FORM, event.form)
  out.layout = RAW_LAYOUT
  out.isStoredRaw = true
  out.size = event.end - event.start
}

function setMessage(out: SplitEvent, { body, start, end }: RejectedEvent): void {
  const source = new BodySource()
  source.take(body)
  out.body = source
  // Not the one that is there: it belongs to a splitter.
  out.made = new ByteBuffer(0)
  if (checkUtf8(body, start, end) === INVALID) {
    out.messageAt = ~0
    out.messageLength = out.made.writeText(body.toString('utf8', start, end))
  } else {
    out.messageAt = start
    out.messageLength = end - start
  }
}

function addColumn(out: SplitEvent, name: string, text: string): void {
  const i = out.columnCount++
  out.columnNames[i] = name
  out.columnKinds[i] = 'text'
  out.areOthers[i] = false
  out.columns.ats[i] = ~out.made.length
  out.columns.lengths[i] = out.made.writeText(text)
}
