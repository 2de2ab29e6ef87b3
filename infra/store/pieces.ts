// Bodies of requests and answers, in pieces, with an end by a signal.
import type { Readable } from 'node:stream'

const PIECE_BYTES = 64 * 1024

/** Pieces are asked for as the connection takes them, so that at most the last one is left when all
 *  were. */
export function* piecesOf(block: Uint8Array, onSent: (() => void) | undefined) {
  for (let at = 0; at < block.byteLength; at += PIECE_BYTES) {
    yield block.subarray(at, at + PIECE_BYTES)
  }
  onSent?.()
}

export async function drain(stream: Readable, signal: AbortSignal): Promise<void> {
  const cut = () => void stream.destroy(abortError())
  signal.addEventListener('abort', cut, { once: true })
  if (signal.aborted) cut()
  try {
    for await (const _ of stream) {
      // An insert's answer is empty.
    }
  } finally {
    signal.removeEventListener('abort', cut)
  }
}

export function abortError(): Error {
  return new Error('aborted')
}
