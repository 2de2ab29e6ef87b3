// Splits one event given as text or bytes, and tells what is stored in a form that tests can
// compare.
import {
  type AccountSplitter,
  makeAccountSplitter,
} from '../../../ingest/split/account-splitter.ts'
import type { EventInput } from '../../../ingest/split/event-input.ts'
import {
  columnText,
  makeSplitEvent,
  type SplitEvent as PlacedEvent,
  textAt,
} from '../../../ingest/split/split-event.ts'
import { isRawStored, rebuildRaw } from '../../../schemas/event-layout.ts'
import type { ListenerAccount } from '../../../schemas/listener-account.ts'
import { readShownColumns } from '../../../schemas/shown-columns.ts'
import { idsOf, printOther } from '../store/stored-event.ts'

type Value = string | number | boolean

/** With texts in the place of places. */
type Texts = { message: string; rest: string; columnValues: Value[] }

export type SplitEvent = Omit<
  PlacedEvent,
  'body' | 'made' | 'messageAt' | 'messageLength' | 'rest' | 'columns' | 'columnNumbers'
> &
  Texts

/** 2024-06-01T12:00:00Z. */
export const RECEIVED_MS = 1_717_243_200_000

export function makeAccount(changes: Partial<ListenerAccount> = {}): ListenerAccount {
  return {
    id: 1,
    version: 1,
    name: 'Default',
    description: '',
    isEnabled: true,
    parentFolder: ['Events'],
    policyId: 1,
    appTags: [],
    logNamePrefix: '',
    sourceSplit: 'none',
    maskBitsV4: 24,
    maskBitsV6: 64,
    messageKeys: ['message', 'msg', 'log', 'event'],
    splitColumns: [],
    timeKey: null,
    timeZone: null,
    jsonParsingLevel: 3,
    ...changes,
  }
}

/** Where the event came from; defaults: no hostName, peer 10.0.0.1, RECEIVED_MS. */
export type Sender = {
  readonly hostName?: string
  readonly peer?: string
  readonly receivedMs?: number
}

export function splitWith(
  splitter: AccountSplitter,
  event: string | Uint8Array,
  sender: Sender = {},
): SplitEvent {
  const bytes = Buffer.from(event)
  // Never at the start of the buffer, so that offsets are tried, too.
  const body = Buffer.concat([Buffer.from('[{"é":1},'), bytes, Buffer.from(']')])
  const start = body.length - bytes.length - 1
  const out = makeSplitEvent()
  splitter.split(out, makeEventInput({ ...sender, body, start, end: start + bytes.length }))
  return readTexts(out)
}

export function makeEventInput(input: Partial<EventInput> & { readonly body: Buffer }): EventInput {
  return {
    start: 0,
    end: input.body.length,
    isLine: false,
    receivedMs: RECEIVED_MS,
    hostName: '',
    peer: '10.0.0.1',
    given: undefined,
    ...input,
  }
}

/** The texts of an event that was split. */
export function readTexts(out: PlacedEvent): SplitEvent {
  const { body, made, messageAt, messageLength, rest, columns, columnNumbers, ...others } = out
  return {
    ...others,
    message: textAt(out, messageAt, messageLength),
    rest: rest.bytes.toString('utf8', 0, rest.length),
    columnValues: others.columnKinds.slice(0, out.columnCount).map((kind, i) => {
      if (kind === 'number') return columnNumbers[i] ?? 0
      return kind === 'bool' ? columnText(out, i) === 'true' : columnText(out, i)
    }),
  }
}

/** The same the other way: all texts in `made`. */
export function placeTexts(event: Partial<SplitEvent>): PlacedEvent {
  const { message = '', rest = '', columnNames = [], columnKinds = [], columnValues = [] } = event
  const { names = '', areOthers = columnNames.map(() => false) } = event
  const out = makeSplitEvent()
  out.messageAt = ~0
  out.messageLength = out.made.writeText(message)
  out.rest.writeText(rest)
  columnValues.forEach((value, i) => {
    out.columns.add(~out.made.length, out.made.writeText(String(value)))
    out.columnNumbers[i] = Number(value)
  })
  const { host = '', layout = '', isStoredRaw = false, size = 0 } = event
  const { timestampMs = 0, timestampNanos = 0 } = event
  out.columnNames.push(...columnNames)
  out.columnKinds.push(...columnKinds)
  out.areOthers.push(...areOthers)
  out.columnCount = columnNames.length
  return Object.assign(out, { host, names, layout, isStoredRaw, size, timestampMs, timestampNanos })
}

export function splitOne(
  event: string | Uint8Array,
  changes: Partial<ListenerAccount> = {},
  sender: Sender = {},
): SplitEvent {
  return splitWith(makeAccountSplitter(makeAccount(changes), 'UTC'), event, sender)
}

/** Name -> value, without kinds. */
export function columnsOf(out: SplitEvent): Record<string, string | number | boolean> {
  return Object.fromEntries(
    out.columnNames.slice(0, out.columnCount).map((name, i) => [name, out.columnValues[i] ?? '']),
  )
}

/** The values of `rest`, sorted. */
export function restOf({ rest }: SplitEvent): string[] {
  return rest
    .split('\x1f')
    .filter((value) => value !== '')
    .sort()
}

/** Name -> value, as readers of the store are shown them. */
export function shownColumnsOf(out: SplitEvent): Record<string, string> {
  const { rest, names, columnNames, columnValues, columnKinds, areOthers } = out
  const pairs = columnValues.map((value, i) => [columnNames[i] ?? '', String(value)] as const)
  const ids = Object.fromEntries(pairs.filter((_, i) => columnKinds[i] === 'id'))
  const others = pairs
    .filter((_, i) => columnKinds[i] !== 'id' && areOthers[i])
    .map(([name, value]) => printOther(name, value))
  const stored = idsOf({ ids })
  const event = { rest, names, others: others.join(''), idNames: stored.id_names, ids: stored.ids }
  return Object.fromEntries(readShownColumns(event))
}

/** Name -> kind and value. */
export function kindsOf(out: SplitEvent): Map<string, readonly [string, string]> {
  return new Map(
    out.columnNames
      .slice(0, out.columnCount)
      .map((name, i) => [name, [out.columnKinds[i] ?? '', String(out.columnValues[i])]]),
  )
}

/** The event's bytes as a reader of the store gets them: from `raw` where it is stored, else
 *  rebuilt. */
export function readBack(out: SplitEvent, event: string | Uint8Array): Buffer {
  if (out.isStoredRaw !== isRawStored(out.layout)) throw new Error('layout and flag differ')
  if (out.isStoredRaw) return Buffer.from(event)
  const columns = new Map<string, string | number | boolean>()
  for (let i = 0; i < out.columnCount; i++) {
    const name = out.columnNames[i] ?? ''
    if (columns.has(name)) throw new Error(`column ${name} twice`)
    columns.set(name, out.columnValues[i] ?? '')
  }
  const { layout, message, host, timestampMs, timestampNanos } = out
  const row = { layout, raw: '', message, host, timestampMs, timestampNanos }
  return Buffer.from(rebuildRaw({ ...row, column: (name) => columns.get(name) }), 'utf8')
}
