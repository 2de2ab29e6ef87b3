// Keeps what one process has in memory at most 1 s behind the database (decision 2.6): looks at the
// version rows four times a second, loads the areas that changed and tells the listeners. With the
// database away, what memory holds goes on.
import { Failure, isFailure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/port.ts'
import { describeError, type Logger } from '../logger.ts'
import type { Cached } from './cached.ts'
import { readVersions, type Versions } from './counters.ts'

const LOOK_EVERY_MS = 250
/** A server that says nothing is away long before its connections are given up. */
const LOOK_WITHIN_MS = 3000

type Area = Pick<Cached<unknown>, 'area' | 'version' | 'reach'>

export class DatabaseWatch {
  readonly #database: Database
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #areas: readonly Area[]
  readonly #listeners = new Set<() => void>()
  readonly #stopping = new AbortController()
  #looking: Promise<void> = Promise.resolve()
  #isAway = false

  constructor(
    options: { database: Database; clock: Clock; logger: Logger },
    areas: readonly Area[],
  ) {
    this.#database = options.database
    this.#clock = options.clock
    this.#logger = options.logger
    this.#areas = areas
  }

  get isAway(): boolean {
    return this.#isAway
  }

  /** First load, then the loop that looks for changes. Fails with database.unavailable. */
  async start(): Promise<void> {
    await this.look()
    this.#looking = this.#lookForever()
  }

  /** Called after memory changed; returns the remover. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    await this.#looking
  }

  /** Brings memory up to the database as of this call. Fails with database.unavailable. */
  async look(): Promise<void> {
    try {
      if (await this.#reach(await this.#soon(readVersions(this.#database.read)))) this.#tellChange()
      if (this.#isAway) this.#logger.info('database is back')
      this.#isAway = false
    } catch (error) {
      if (!this.#isAway) this.#logger.error('database is away', describeError(error))
      this.#isAway = true
      throw isFailure(error) ? error : new Failure('database.unavailable', {}, error)
    }
  }

  async #lookForever(): Promise<void> {
    const { signal } = this.#stopping
    for (;;) {
      await this.#clock.sleep(LOOK_EVERY_MS, signal)
      if (signal.aborted) return
      try {
        await this.look()
      } catch {
        // Said by look; memory goes on.
      }
    }
  }

  async #soon<T>(answer: Promise<T>): Promise<T> {
    const over = new AbortController()
    const late = this.#clock.sleep(LOOK_WITHIN_MS, over.signal).then(() => {
      throw new Failure('database.unavailable')
    })
    try {
      return await Promise.race([answer, late])
    } finally {
      // Nobody waits for the one that is not first.
      answer.catch(() => undefined)
      late.catch(() => undefined)
      over.abort()
    }
  }

  /** True when anything changed. */
  async #reach(versions: Versions): Promise<boolean> {
    let isChanged = false
    for (const cached of this.#areas) {
      if (cached.version >= versions[cached.area]) continue
      await cached.reach(this.#database, versions[cached.area])
      isChanged = true
    }
    return isChanged
  }

  #tellChange(): void {
    for (const listener of this.#listeners) {
      try {
        listener()
      } catch (error) {
        this.#logger.error('change listener failed', describeError(error))
      }
    }
  }
}
