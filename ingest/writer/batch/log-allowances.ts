// How many logs accounts may still get (decision 3.5). Asked of the database only for accounts that
// make logs.
import type { LogTree } from '../../../infra/metastore/tree/port.ts'
import type { LogAllowance } from './batch-logs.ts'

export type LogLimits = { readonly newLogsPerHour: number; readonly logsPerAccount: number }

/** Hours of receipt remembered an account; one that is forgotten is met again at the price of a
 *  second pass. */
const MAX_HOURS = 4

export class LogAllowances {
  readonly #metastore: Pick<LogTree, 'countLogs'>
  readonly #limits: LogLimits
  /** Accounts at their limit, with the hours met: they are looked up before each batch. */
  readonly #atLimit = new Map<number, Set<number>>()

  constructor(metastore: Pick<LogTree, 'countLogs'>, limits: LogLimits) {
    this.#metastore = metastore
    this.#limits = limits
  }

  /** Fresh copies: a batch takes from them. */
  async current(): Promise<Map<number, LogAllowance>> {
    const allowances = new Map<number, LogAllowance>()
    for (const [accountId, hours] of this.#atLimit) {
      const allowance: LogAllowance = { total: 0, byHour: new Map() }
      for (const hour of hours) {
        const { total, inHour } = await this.#metastore.countLogs(accountId, hour)
        allowance.total = this.#limits.logsPerAccount - total
        allowance.byHour.set(hour, this.#limits.newLogsPerHour - inHour)
      }
      allowances.set(accountId, allowance)
    }
    return allowances
  }

  /** False: a batch planned more logs than its accounts may get; `current` knows of them now. */
  async settle(planned: ReadonlyMap<number, ReadonlyMap<number, number>>): Promise<boolean> {
    let isSettled = true
    for (const [accountId, byHour] of planned) {
      let sum = 0
      for (const [hour, count] of byHour) {
        const { total, inHour } = await this.#metastore.countLogs(accountId, hour)
        sum += count
        const isWithin =
          total + sum <= this.#limits.logsPerAccount &&
          inHour + count <= this.#limits.newLogsPerHour
        if (isWithin) continue
        isSettled = false
        this.#note(accountId, hour)
      }
    }
    return isSettled
  }

  #note(accountId: number, hour: number): void {
    const hours = this.#atLimit.get(accountId) ?? new Set()
    this.#atLimit.set(accountId, hours.add(hour))
    for (const oldest of hours) {
      if (hours.size <= MAX_HOURS) return
      hours.delete(oldest)
    }
  }
}
