// What all listeners together took of accounts on a day, as of some seconds ago: each says now and
// then what it took. While the database is away each counts for itself.
import type { Clock } from '../../../infra/clock.ts'
import { describeError, type Logger } from '../../../infra/logger.ts'
import type { AccountLimits } from './account-limits.ts'

const EVERY_MS = 3000
const DAY_MS = 86_400_000

export type ExchangeDayBytes = (
  taken: ReturnType<AccountLimits['takeDayBytes']>,
  day: number,
) => Promise<ReadonlyMap<number, number>>

export class SharedDayBytes {
  #day = 0
  #bytes: ReadonlyMap<number, number> = new Map()

  readonly of = (accountId: number, day: number): number =>
    day === this.#day ? (this.#bytes.get(accountId) ?? 0) : 0

  /** Until `signal` aborts; then what is left is said once more. */
  async run(
    accounts: AccountLimits,
    exchange: ExchangeDayBytes,
    { clock, logger }: { clock: Clock; logger: Logger },
    signal: AbortSignal,
  ): Promise<void> {
    for (;;) {
      const isLast = signal.aborted
      const day = Math.floor(clock.nowMs() / DAY_MS)
      const taken = accounts.takeDayBytes()
      try {
        this.#bytes = await exchange(taken, day)
        this.#day = day
      } catch (error) {
        accounts.giveBack(taken)
        logger.warn('volume of accounts not kept, trying again', describeError(error))
      }
      if (isLast) return
      await clock.sleep(EVERY_MS, signal)
    }
  }
}
