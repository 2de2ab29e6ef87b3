// Joins what a live tail gives in parts: each piece that is stored costs flushes of the database,
// whatever is in it.
import type { TailMessage } from '../../../infra/outbound/remote-logeye.ts'

const PIECE_EVENTS = 2000
/** Of a piece, about; the last part goes beyond it. */
const PIECE_BYTES = 1024 * 1024
/** What comes so soon after one another goes together. */
const GATHER_MS = 50
/** Of an event beside its texts. */
const EVENT_BYTES = 300

type Deps = {
  readonly signal: AbortSignal
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

export async function* gather(
  pieces: AsyncGenerator<readonly TailMessage[]>,
  { signal, sleep }: Deps,
): AsyncGenerator<readonly TailMessage[]> {
  let waiting = pieces.next()
  while (!signal.aborted) {
    const first = await waiting
    if (first.done === true) return
    const messages = [...first.value]
    let bytes = bytesOf(messages)
    waiting = pieces.next()
    // Whoever waits for it hears of its failure.
    waiting.catch(() => undefined)
    while (messages.length < PIECE_EVENTS && bytes < PIECE_BYTES) {
      const timer = new AbortController()
      const late = sleep(GATHER_MS, timer.signal).then(() => undefined)
      const next = await Promise.race([waiting.catch(() => undefined), late])
      timer.abort()
      if (next === undefined || next.done === true) break
      messages.push(...next.value)
      bytes += bytesOf(next.value)
      waiting = pieces.next()
      waiting.catch(() => undefined)
    }
    yield messages
  }
}

function bytesOf(messages: readonly TailMessage[]): number {
  let bytes = 0
  for (const { event } of messages) {
    bytes += EVENT_BYTES
    if (event === undefined) continue
    bytes += Buffer.byteLength(event.message)
    for (const [name, value] of Object.entries(event.columns))
      bytes += Buffer.byteLength(name) + Buffer.byteLength(value)
  }
  return bytes
}
