// Splits one event given as text or bytes, and tells what is stored in a form that tests can compare.
import { type AccountSplitter, makeAccountSplitter } from '../../ingest/split/account-splitter.ts'
import { makeSplitEvent, type SplitEvent } from '../../ingest/split/split-event.ts'
import { isRawStored, rebuildRaw } from '../../schemas/event-layout.ts'
import type { ListenerAccount } from '../../schemas/listener-account.ts'

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
  splitter.split(
    out,
    body,
    start,
    start + bytes.length,
    sender.receivedMs ?? RECEIVED_MS,
    sender.hostName ?? '',
    sender.peer ?? '10.0.0.1',
  )
  return out
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

/** Name -> kind and value. */
export function kindsOf(out: SplitEvent): Map<string, readonly [string, string]> {
  return new Map(
    out.columnNames
      .slice(0, out.columnCount)
      .map((name, i) => [name, [out.columnKinds[i] ?? '', String(out.columnValues[i])]]),
  )
}

/** The event's bytes as a reader of the store gets them: from `raw` where it is stored, else rebuilt. */
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
