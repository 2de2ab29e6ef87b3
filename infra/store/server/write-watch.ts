// chdb 3.4.0 takes a write that fails for one that is done (its WriteBufferFromFileDescriptor
// breaks off and throws nothing). On a disk that is full at the wrong moment it answers inserts
// whose parts are too short, and lets a merge replace whole parts by a broken one. It counts such
// writes, though. After the first one nothing it says can be believed: what it says is not
// answered, and the process ends before the sources of a merge are removed (a minute later,
// schemas/store/tables.ts). A start takes broken parts aside and goes on from their sources; the
// writer looks up what it was not told.
import type { Clock } from '../../clock.ts'
import { EngineError } from './engine-error.ts'

const EVERY_MS = 1000
/** Reading the number may need memory that is not there. */
const ATTEMPTS = 50
const AGAIN_MS = 100

export const FAILED_WRITES_SQL =
  "SELECT sum(value) FROM system.events WHERE event = 'WriteBufferFromFileDescriptorWriteFailed' SETTINGS max_threads = 1 FORMAT TSVRaw"

type Options = {
  /** How many writes have failed since the engine was opened; asked after the call. */
  readonly countFailed: () => Promise<number>
  readonly clock: Clock
  /** Called once: the process has to end, as soon as those who asked have been told that they were
   *  not served. */
  readonly onFailed: (writes: number) => void
}

export class WriteWatch {
  readonly #options: Options
  readonly #timer: NodeJS.Timeout
  #hasFailed = false

  constructor(options: Options) {
    this.#options = options
    this.#timer = setInterval(() => void this.check().catch(() => undefined), EVERY_MS).unref()
  }

  /** Resolves when every write until now was done. Fails with 243 when one was not, from then on
   *  always, and when the engine does not tell. */
  async check(): Promise<void> {
    const writes = await this.#count()
    if (writes > 0 || this.#hasFailed) this.fail(writes)
  }

  /** Of `writes` nobody can say whether they are on the disk. Fails with 243, as `check` does from
   *  then on. */
  fail(writes: number): never {
    if (!this.#hasFailed) this.#options.onFailed(writes)
    this.#hasFailed = true
    throw new EngineError(243, 'A write failed', 'NOT_ENOUGH_SPACE')
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #count(): Promise<number> {
    const { countFailed, clock } = this.#options
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await countFailed()
      } catch (error) {
        if (attempt === ATTEMPTS) throw error
        await clock.sleep(AGAIN_MS)
      }
    }
  }
}
