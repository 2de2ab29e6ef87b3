// Pieces of text as the body of an answer, each made when the client has taken the one before. A
// client that takes nothing for too long is let go: it comes back and goes on where it was.
import type { Clock } from '../../infra/clock.ts'

const TAKEN_WITHIN_MS = 60_000

/** `end` is called once, when nobody reads any more. */
export function eventStream(
  pieces: AsyncGenerator<string>,
  clock: Clock,
  end: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let taken = new AbortController()
  const finish = () => {
    taken.abort()
    end()
    // Ends what waits inside; what it answers is of no interest any more.
    void pieces.return(undefined).catch(() => undefined)
  }
  const watch = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    taken = new AbortController()
    const { signal } = taken
    void clock.sleep(TAKEN_WITHIN_MS, signal).then(() => {
      if (signal.aborted) return
      controller.error(new Error('the client takes nothing'))
      finish()
    })
  }
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        taken.abort()
        try {
          const next = await pieces.next()
          if (next.done === true) {
            finish()
            controller.close()
            return
          }
          controller.enqueue(encoder.encode(next.value))
          watch(controller)
        } catch (error) {
          finish()
          controller.error(error)
        }
      },
      cancel: finish,
    },
    { highWaterMark: 1 },
  )
}
