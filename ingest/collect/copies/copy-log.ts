// Copies one log of another Logeye: first what is there, page by page from the newest on, then what
// arrives, by its live tail. The tail gives each event once, in the order of arrival, late ones,
// too; its place there is our mark (docs/decisions/0123).
import { z } from 'zod'
import { RemoteFault } from '../../../infra/outbound/remote-fault.ts'
import type { RemoteEvent, RemoteLogeye } from '../../../infra/outbound/remote-logeye.ts'
import { Failure } from '../../../schemas/failures.ts'
import { type MarkedEvent, type MarkedLog, TooLarge } from '../marked/marked-log.ts'
import { printRecord } from '../marked/record-form.ts'
import { gather } from './gather.ts'

const PAGE_EVENTS = 500
/** Without events the mark need not be kept at once. */
const IDLE_SAVE_MS = 5000

const markSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('pages'), cursor: z.string(), tailId: z.string() }),
  z.strictObject({ kind: z.literal('tail'), id: z.string() }),
])
type Mark = z.infer<typeof markSchema>

export type CopyDeps = {
  readonly remote: RemoteLogeye
  readonly log: MarkedLog
  readonly query: string
  /** Of the log there, for the one who reads the fault. */
  readonly name: string
  readonly signal: AbortSignal
  /** The other side was reached, and gives the log. */
  readonly reached: () => void
  readonly copied: (events: number, bytes: number) => void
  readonly elapsedMs: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Until the signal aborts. Fails with RemoteFault, and with what the database says. */
export async function copyLog(deps: CopyDeps): Promise<void> {
  const { remote, query, name, signal } = deps
  if ((await remote.countLogs(query, signal)) === 0)
    throw new RemoteFault(
      `there is no log ${name} at the other Logeye, or the user of the account may not see it`,
    )
  deps.reached()
  const tail = await copyPages(deps)
  if (tail !== undefined) await copyTail(deps, tail)
}

/** What is there. Gives where the tail goes on; undefined: told to stop. */
async function copyPages({ remote, log, query, signal, copied }: CopyDeps) {
  let mark = readMark(log.mark)
  let limit = PAGE_EVENTS
  while (mark?.kind !== 'tail') {
    if (signal.aborted) return undefined
    const cursor = mark?.cursor
    const page = await remote.page(query, { cursor, limit }, signal)
    // What arrives behind the first page is the tail's.
    const tailId: string = mark?.tailId ?? page.tailId
    const next: Mark =
      page.nextCursor === null
        ? { kind: 'tail', id: tailId }
        : { kind: 'pages', cursor: page.nextCursor, tailId }
    const events = page.events.map(toMarked)
    try {
      if (!(await log.commit(events, JSON.stringify(next)))) return undefined
    } catch (error) {
      if (!(error instanceof TooLarge) || events.length < 2) throw error
      // How large its pages are is a setting of the other side.
      limit = Math.floor(events.length / 2)
      continue
    }
    limit = PAGE_EVENTS
    copied(events.length, bytesOf(events))
    mark = next
  }
  return mark.id
}

async function copyTail(deps: CopyDeps, from: string): Promise<void> {
  const { remote, log, query, copied, elapsedMs } = deps
  const ending = new AbortController()
  const signal = AbortSignal.any([deps.signal, ending.signal])
  const pieces = remote.tail(query, from, signal)
  let savedMs = elapsedMs()
  try {
    for await (const messages of gather(pieces, deps)) {
      const id = messages.at(-1)?.mark
      if (id === undefined) continue
      const events = messages.flatMap(({ event }) => (event === undefined ? [] : [toMarked(event)]))
      if (events.length === 0 && elapsedMs() - savedMs < IDLE_SAVE_MS) continue
      if (!(await log.commit(events, JSON.stringify({ kind: 'tail', id })))) return
      savedMs = elapsedMs()
      copied(events.length, bytesOf(events))
    }
  } finally {
    ending.abort()
    // A read that waits ends with the signal.
    await pieces.return(undefined).catch(() => undefined)
  }
}

function readMark(text: string): Mark | undefined {
  if (text === '') return undefined
  try {
    return markSchema.parse(JSON.parse(text))
  } catch (error) {
    throw new Failure('database.damaged', {}, error)
  }
}

function toMarked({ message, columns, host, source, timestamp }: RemoteEvent): MarkedEvent {
  const ms = Date.parse(`${timestamp.slice(0, 23)}Z`)
  const nanos = Number(timestamp.slice(23, -1).padEnd(6, '0'))
  const time = Number.isNaN(ms) ? undefined : { ms, nanos }
  return { record: printRecord(message, columns), host, source, time }
}

function bytesOf(events: readonly MarkedEvent[]): number {
  return events.reduce((sum, { record }) => sum + Buffer.byteLength(record), 0)
}
