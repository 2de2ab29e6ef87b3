// Below the disk reserve ingest is refused before anything fails, and resumes by itself (decision
// 2.9).
import type { Clock } from '../../../infra/clock.ts'
import { diskReserveBytes } from '../../../infra/disk-reserve.ts'
import { type DiskSpace, readDiskSpace, readDiskSpaceSync } from '../../../infra/disk-space.ts'
import { describeError, type Logger } from '../../../infra/logger.ts'

const POLL_MS = 1000

type Options = {
  readonly dataDir: string
  /** Absent: the smaller of 5 % of the disk and 2 GiB. */
  readonly reserveBytes?: number | undefined
  readonly clock: Clock
  readonly logger: Logger
}

export class DiskReserve {
  readonly #options: Options
  readonly #stopped = new AbortController()
  #isReached = false
  #isReadable = true

  constructor(options: Options) {
    this.#options = options
    this.#note(readDiskSpaceSync(options.dataDir))
    void this.#poll()
  }

  get isReached(): boolean {
    return this.#isReached
  }

  stop(): void {
    this.#stopped.abort()
  }

  async #poll(): Promise<void> {
    const { clock, dataDir } = this.#options
    const { signal } = this.#stopped
    for (;;) {
      await clock.sleep(POLL_MS, signal)
      if (signal.aborted) return
      try {
        this.#note(await readDiskSpace(dataDir))
        this.#isReadable = true
      } catch (error) {
        if (this.#isReadable) this.#options.logger.warn('disk space unknown', describeError(error))
        this.#isReadable = false
      }
    }
  }

  #note(space: DiskSpace): void {
    const { logger, reserveBytes } = this.#options
    const isReached = isReserveReached(space, reserveBytes)
    if (isReached === this.#isReached) return
    this.#isReached = isReached
    const { freeBytes } = space
    if (isReached) logger.error('disk reserve reached, ingest is refused', { freeBytes })
    else logger.info('disk reserve free again, ingest resumes', { freeBytes })
  }
}

export function isReserveReached(space: DiskSpace, reserveBytes: number | undefined): boolean {
  return space.freeBytes < diskReserveBytes(space.totalBytes, reserveBytes)
}
