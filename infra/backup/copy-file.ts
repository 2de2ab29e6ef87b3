// Copies a file piece by piece with its digest, and flushes it. Pieces are small and pauses as long
// as the work: the writer runs in the same process.
import { createHash } from 'node:crypto'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Clock } from '../clock.ts'

const PIECE_BYTES = 512 * 1024

export type Copied = { readonly bytes: number; readonly sha256: string }

type Around = {
  readonly signal: AbortSignal
  readonly clock: Pick<Clock, 'elapsedMs' | 'sleep'>
  /** Called with the bytes of each piece before it is written; may fail. */
  readonly onPiece?: (bytes: number) => void | Promise<void>
  /** Nothing else is at work. */
  readonly isHasty?: boolean
}

/** Makes the directories above `to`. Fails where `to` is there, and when the signal aborts. */
export async function copyFile(from: string, to: string, around: Around): Promise<Copied> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const target = await open(to, 'wx', 0o600)
  try {
    const copied = await readPieces(from, around, async (piece) => {
      for (let at = 0; at < piece.length; )
        at += (await target.write(piece, at, piece.length - at)).bytesWritten
    })
    await target.sync()
    return copied
  } finally {
    await target.close()
  }
}

export async function digestFile(path: string, around: Around): Promise<Copied> {
  return await readPieces(path, around, async () => undefined)
}

async function readPieces(
  path: string,
  { signal, clock, onPiece, isHasty }: Around,
  take: (piece: Buffer) => Promise<void>,
): Promise<Copied> {
  const source = await open(path, 'r')
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(PIECE_BYTES)
  let bytes = 0
  try {
    for (;;) {
      signal.throwIfAborted()
      const beganMs = clock.elapsedMs()
      const { bytesRead } = await source.read(buffer, 0, PIECE_BYTES)
      if (bytesRead === 0) break
      await onPiece?.(bytesRead)
      const piece = buffer.subarray(0, bytesRead)
      hash.update(piece)
      await take(piece)
      bytes += bytesRead
      if (isHasty !== true && bytesRead === PIECE_BYTES)
        await clock.sleep(clock.elapsedMs() - beganMs, signal)
    }
  } finally {
    await source.close()
  }
  return { bytes, sha256: hash.digest('hex') }
}

export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
