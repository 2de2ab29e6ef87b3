// Heartbeats that come at one moment are one write: while one transaction is made durable, the next
// reports gather. Each caller is answered when its own are durable.
import { Failure, isFailure } from '../../schemas/failures.ts'
import type { PortalDatabase } from '../database/open.ts'
import { type Kept, keepReports, type Report } from './keep-reports.ts'

const MAX_REPORTS = 100
const MAX_METERS = 4000
/** Beyond it callers are sent away, to come again. */
const MAX_WAITING = 10_000

type Waiting = {
  readonly report: Report
  resolve(kept: Kept | undefined): void
  reject(error: unknown): void
}

export class ReportQueue {
  readonly #database: Pick<PortalDatabase, 'write'>
  #waiting: Waiting[] = []
  #isRunning = false

  constructor(database: Pick<PortalDatabase, 'write'>) {
    this.#database = database
  }

  /** Fails with portal.unavailable when too many wait, and as a write does. */
  keep(report: Report): Promise<Kept | undefined> {
    if (this.#waiting.length >= MAX_WAITING) throw new Failure('portal.unavailable')
    return new Promise((resolve, reject) => {
      this.#waiting.push({ report, resolve, reject })
      if (this.#isRunning) return
      this.#isRunning = true
      void this.#run()
    })
  }

  /** Never rejects: callers are told. */
  async #run(): Promise<void> {
    // What else came in this turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) await this.#write(this.#take())
    this.#isRunning = false
  }

  #take(): Waiting[] {
    let meters = 0
    const end = this.#waiting.findIndex(({ report }, at) => {
      meters += report.meters.length
      return at > 0 && (at >= MAX_REPORTS || meters > MAX_METERS)
    })
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end)
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    try {
      const reports = batch.map(({ report }) => report)
      const kept = await this.#database.write((transaction) => keepReports(transaction, reports))
      for (const [at, { resolve }] of batch.entries()) resolve(kept[at])
    } catch (error) {
      const isOfAll = isFailure(error) && error.code !== 'database.failed'
      if (batch.length === 1 || isOfAll) for (const { reject } of batch) reject(error)
      // A report that the database does not take stops no other one.
      else for (const one of batch) await this.#write([one])
    }
  }
}
