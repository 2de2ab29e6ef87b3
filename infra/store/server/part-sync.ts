// The engine (26.7) syncs what a merge writes, but for the files of text indexes, and removes the
// parts that were merged a minute later (schemas/store/tables.ts). Until the system writes those
// files by itself a loss of power makes the merged part a broken one. So we sync them, well within
// that minute: whatever was merged since, one part that holds its rows is active at each look.
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describeError, type Logger } from '../../logger.ts'
import type { Asker } from './engine.ts'

const EVERY_MS = 5000
/** Merged, or changed by a mutation. */
const WRITTEN_PARTS_SQL =
  "SELECT path FROM system.parts WHERE active AND (level > 0 OR data_version > min_block_number) AND database = 'default' FORMAT TSVRaw"

type Options = {
  readonly ask: Asker
  readonly logger: Logger
  readonly syncFile?: (path: string) => Promise<void>
}

export class PartSync {
  readonly #options: Options
  readonly #timer: NodeJS.Timeout
  #synced: ReadonlySet<string> = new Set()
  #running: Promise<void> | undefined

  constructor(options: Options) {
    this.#options = options
    this.#timer = setInterval(() => void this.#look(), EVERY_MS).unref()
  }

  /** Resolves when the merged parts of now are on the disk, as far as they can be brought there.
   *  Never fails. */
  async sync(): Promise<void> {
    await this.#running
    await this.#look()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** One at a time: a slow disk does not get more of it. */
  #look(): Promise<void> {
    this.#running ??= this.#syncParts()
      .catch((error: unknown) =>
        this.#options.logger.warn('merged parts not listed, trying again', describeError(error)),
      )
      .finally(() => {
        this.#running = undefined
      })
    return this.#running
  }

  async #syncParts(): Promise<void> {
    const parts = Buffer.from(await this.#options.ask(WRITTEN_PARTS_SQL))
      .toString()
      .split('\n')
      .filter(Boolean)
    const done = new Set(parts.filter((part) => this.#synced.has(part)))
    this.#synced = done
    for (const part of parts) {
      if (!done.has(part)) await this.#syncPart(part)
      done.add(part)
    }
  }

  async #syncPart(directory: string): Promise<void> {
    const { syncFile = syncRealFile } = this.#options
    try {
      for (const name of await readdir(directory))
        if (name.startsWith('skp_idx_')) await syncFile(join(directory, name))
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      // Merged into another meanwhile, and removed.
      if (code === 'ENOENT') return
      // The system tells it once: another try would succeed and prove nothing.
      this.#options.logger.error('a merged part may not be on the disk', { code: String(code) })
    }
  }
}

async function syncRealFile(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}
