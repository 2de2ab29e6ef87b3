// One chunk to the listener, again and again while it cannot be taken. The key makes sure that it
// is stored once.
import { z } from 'zod'
import type { Clock } from '../../../../infra/clock.ts'
import { type Connection, parseJson, postBody } from '../post-body.ts'
import type { ImportFormat } from './open-source.ts'

/** An import that gets nowhere for so long ends, and can be taken up. */
const STUCK_MS = 10 * 60_000
const FIRST_WAIT_MS = 500
const MAX_WAIT_MS = 15_000

/** With debug=1. */
const explainedSchema = z.object({
  index: z.int(),
  path: z.string(),
  log: z.string(),
  template: z.string().nullable(),
  columns: z.record(z.string(), z.string()),
  time: z.string(),
})

export const answerSchema = z.object({
  text: z.string(),
  code: z.int(),
  received: z.int(),
  accepted: z.int(),
  rejected: z.int(),
  errors: z.array(z.object({ index: z.int(), code: z.string(), message: z.string() })),
  events: z.array(explainedSchema).optional(),
})
export type ListenerAnswer = z.infer<typeof answerSchema>

/** Nothing but empty lines. */
const NO_DATA = 5
/** With events in it: each of them was rejected, and is kept with its reason. */
const INVALID = 6

export type SentChunk =
  | { readonly kind: 'taken'; readonly answer: ListenerAnswer }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'stuck'; readonly reason: string }

export type ChunkTarget = {
  readonly url: URL
  readonly connection: Connection
  readonly format: ImportFormat
  readonly clock: Clock
  /** Ends the repeating. */
  readonly signal: AbortSignal
  readonly onWait: (reason: string) => void
}

export async function sendChunk(
  body: Buffer,
  key: string,
  target: ChunkTarget,
): Promise<SentChunk> {
  const { clock, signal } = target
  const begun = clock.elapsedMs()
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
    const tried = await postOnce(body, key, target)
    if (tried.kind !== 'again') return tried
    if (signal.aborted || clock.elapsedMs() - begun > STUCK_MS)
      return { kind: 'stuck', reason: tried.reason }
    target.onWait(tried.reason)
    await clock.sleep(Math.max(waitMs, tried.waitMs), signal)
  }
}

type Tried =
  | SentChunk
  | { readonly kind: 'again'; readonly reason: string; readonly waitMs: number }

async function postOnce(body: Buffer, key: string, target: ChunkTarget): Promise<Tried> {
  const { url, connection, format } = target
  const headers = { ...bodyHeaders(format), 'idempotency-key': key }
  const posted = await postBody(url, body, headers, connection)
  if (posted.kind === 'unreachable') return { kind: 'again', reason: posted.reason, waitMs: 0 }
  const { status, text, retryAfter } = posted
  const parsed = answerSchema.safeParse(parseJson(text))
  const reason = parsed.success ? parsed.data.text : `something else answers there (HTTP ${status})`
  if (status >= 500) return { kind: 'again', reason, waitMs: 1000 * retryAfter }
  if (!parsed.success) return { kind: 'refused', reason }
  const { data: answer } = parsed
  const isTaken =
    status === 200 ||
    answer.code === NO_DATA ||
    (answer.code === INVALID && answer.received > 0 && answer.accepted === 0)
  return isTaken ? { kind: 'taken', answer } : { kind: 'refused', reason }
}

export function bodyHeaders(format: ImportFormat): Readonly<Record<string, string>> {
  return { 'content-type': format === 'json' ? 'application/json' : 'text/plain' }
}
