// What is to become an object, first in a file of its own: its size and its hash are known then,
// and nobody sees half of it. What a process left behind when it was killed is removed at the next
// start.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'

const LEFT_MS = 24 * 3_600_000

export type Spooled = { readonly path: string; readonly bytes: number; readonly sha256: string }

export class Spool {
  readonly #folder: string
  readonly #clock: Pick<Clock, 'randomBytes'>

  /** `folder` is made, and is the spool's alone. */
  constructor(folder: string, clock: Pick<Clock, 'nowMs' | 'randomBytes'>) {
    this.#folder = folder
    this.#clock = clock
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      const found = statSync(path, { throwIfNoEntry: false })
      if (found !== undefined && found.mtimeMs < clock.nowMs() - LEFT_MS)
        rmSync(path, { force: true })
    }
  }

  /** Flushed to the disk. `use` may take the file away; what is left of it is removed. Throws what
   *  `source` and `use` throw; fails with object_store.unavailable. */
  async with<Result>(
    source: AsyncIterable<Uint8Array>,
    use: (spooled: Spooled) => Promise<Result>,
  ): Promise<Result> {
    const path = join(this.#folder, this.#clock.randomBytes(16).toString('hex'))
    try {
      const file = await onDisk(open(path, 'wx', 0o600))
      try {
        const hash = createHash('sha256')
        let bytes = 0
        for await (const chunk of source) {
          hash.update(chunk)
          await onDisk(writeAll(file, chunk))
          bytes += chunk.length
        }
        await onDisk(file.sync())
        await onDisk(file.close())
        return await use({ path, bytes, sha256: hash.digest('hex') })
      } finally {
        // Does nothing to one that is closed.
        await file.close().catch(() => undefined)
      }
    } finally {
      await rm(path, { force: true }).catch(() => undefined)
    }
  }
}

/** Fails with object_store.unavailable for what the system refuses. */
export async function onDisk<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new Failure('object_store.unavailable', { reason: code }, error)
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length; ) {
    const { bytesWritten } = await file.write(chunk, at)
    at += bytesWritten
  }
}
