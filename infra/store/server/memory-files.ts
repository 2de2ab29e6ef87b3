// Bodies of inserts as files that the engine reads: in shared memory where there is room, else
// under the data directory.
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, statfsSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { readDiskSpace } from '../../disk-space.ts'

const SHARED_MEMORY = '/dev/shm'
const MIB = 1024 * 1024
/** Left free for others; small containers have 64 MiB altogether. */
const KEEP_FREE = 16 * MIB
/** Taken from the connection while the write before is under way: many small pieces are one write
 *  then. */
const AHEAD_BYTES = MIB
/** Assumed of a body that does not say its length. */
const UNKNOWN_BYTES = 96 * MIB

export type MemoryFile = { readonly path: string; remove(): Promise<void> }

export class MemoryFiles {
  readonly #shared: string | undefined
  readonly #fallback: string
  #count = 0

  /** Removes what an earlier process on this directory left behind: the caller holds the
   *  directory's lock. */
  constructor(fallback: string, sharedRoot: string = SHARED_MEMORY) {
    this.#fallback = fallback
    const name = `logeye-${createHash('sha256').update(fallback).digest('hex').slice(0, 16)}`
    this.#shared = makeEmpty(join(sharedRoot, name), sharedRoot)
    rmSync(fallback, { recursive: true, force: true })
    mkdirSync(fallback, { recursive: true, mode: 0o700 })
  }

  /** `bytes`: the body's length if it is known. A body that breaks off leaves no file. */
  async write(body: Readable, bytes: number | undefined, maxBytes: number): Promise<MemoryFile> {
    const directory = await this.#choose(bytes ?? UNKNOWN_BYTES)
    const path = join(directory, `${this.#count++}.native`)
    const file = { path, remove: () => rm(path, { force: true }) }
    try {
      // Opened first: a stream that opens by itself may make the file after it was removed.
      const handle = await open(path, 'w', 0o600)
      const written = handle.createWriteStream({ highWaterMark: AHEAD_BYTES })
      await pipeline(body, limitTo(maxBytes), written)
    } catch (error) {
      await file.remove()
      throw error
    }
    return file
  }

  async #choose(bytes: number): Promise<string> {
    if (this.#shared === undefined) return this.#fallback
    const { freeBytes } = await readDiskSpace(this.#shared)
    return freeBytes >= bytes + KEEP_FREE ? this.#shared : this.#fallback
  }

  close(): void {
    if (this.#shared !== undefined) rmSync(this.#shared, { recursive: true, force: true })
    rmSync(this.#fallback, { recursive: true, force: true })
  }
}

function makeEmpty(path: string, root: string): string | undefined {
  try {
    statfsSync(root)
    rmSync(path, { recursive: true, force: true })
    mkdirSync(path, { mode: 0o700 })
    return path
  } catch {
    // No shared memory on this system, or another user's directory: the fall-back serves.
    return undefined
  }
}

class BodyTooLarge extends Error {}

function limitTo(maxBytes: number) {
  return async function* (source: AsyncIterable<Buffer>) {
    let bytes = 0
    for await (const chunk of source) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new BodyTooLarge()
      yield chunk
    }
  }
}
