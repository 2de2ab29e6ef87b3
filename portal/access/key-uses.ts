// When keys were last used: gathered in memory and written now and then, so that a call costs no
// write. A killed process forgets less than a minute.
import type { Clock } from '../../infra/clock.ts'
import { describeError, type Logger } from '../../infra/logger.ts'
import type { PortalDatabase } from '../database/open.ts'

const WRITE_EVERY_MS = 20_000

export class KeyUses {
  readonly #database: PortalDatabase
  readonly #clock: Pick<Clock, 'nowMs'>
  readonly #logger: Logger
  /** Id of a credential → when. */
  #used = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(of: {
    readonly database: PortalDatabase
    readonly clock: Pick<Clock, 'nowMs'>
    readonly logger: Logger
  }) {
    this.#database = of.database
    this.#clock = of.clock
    this.#logger = of.logger
  }

  note(id: string): void {
    this.#used.set(id, this.#clock.nowMs())
    if (this.#timer !== undefined) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#writing = this.#write()
    }, WRITE_EVERY_MS)
    this.#timer.unref()
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#writing
    await this.#write()
  }

  async #write(): Promise<void> {
    const used = this.#used
    if (used.size === 0) return
    this.#used = new Map()
    try {
      await this.#database.write(async (transaction) => {
        for (const [id, ms] of used)
          await transaction
            .updateTable('credentials')
            .set({ last_used_ms: ms })
            .where('id', '=', id)
            .where((eb) => eb.or([eb('last_used_ms', 'is', null), eb('last_used_ms', '<', ms)]))
            .execute()
      })
    } catch (error) {
      this.#logger.warn('uses of keys are not noted', describeError(error))
    }
  }
}
