// One holder at a time of all processes on the database. No two clocks are compared: the holder
// counts from before its last renewal on its own steady clock, and another process takes the lease
// when its own clock has seen no renewal for longer than that. A process that stood still may
// believe for a moment too long that it holds the lease. So each holder has a higher number, and
// what it changes in the database asks for its number in the same transaction (requireFence).
import { sql } from 'kysely'
import { Failure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'
import type { Database, DatabaseTransaction } from './port.ts'
import type { Tables } from './tables.ts'

/** How long a lease without renewals is left to its holder. */
export const LEASE_MS = 6000
/** The holder ends so much earlier: steady clocks of two machines may run unequally fast. */
const OWN_SHARE = 0.8
const HOLDER_BYTES = 12

export type Fence = { readonly name: string; readonly holder: string; readonly fence: number }

type Seen = { readonly fence: number; readonly beat: number; readonly sinceMs: number }

export class Lease {
  readonly #database: Database
  readonly #clock: Pick<Clock, 'elapsedMs'>
  readonly #name: string
  readonly #holder: string
  #held: { readonly fence: number; readonly untilMs: number } | undefined
  #seen: Seen | undefined

  constructor(options: {
    database: Database
    clock: Pick<Clock, 'elapsedMs' | 'randomBytes'>
    name: string
  }) {
    this.#database = options.database
    this.#clock = options.clock
    this.#name = options.name
    this.#holder = options.clock.randomBytes(HOLDER_BYTES).toString('hex')
  }

  /** Milliseconds for which it is surely ours; 0: it is not. */
  leftMs(): number {
    if (this.#held === undefined) return 0
    return Math.max(0, this.#held.untilMs - this.#clock.elapsedMs())
  }

  /** Undefined: not ours. Failures of the database pass through; whoever called may call again. */
  async tryTake(): Promise<Fence | undefined> {
    const row = await this.#read()
    const nowMs = this.#clock.elapsedMs()
    if (row !== undefined && row.holder !== '' && !this.#isStale(row, nowMs)) return undefined
    const fence = await this.#database.write((t) => this.#take(t, row))
    this.#seen = undefined
    if (fence === undefined) return undefined
    this.#hold(fence, nowMs)
    return { name: this.#name, holder: this.#holder, fence }
  }

  /** False: it is another's now. A failure of the database leaves it ours for as long as it was. */
  async renew(): Promise<boolean> {
    const held = this.#held
    if (held === undefined) return false
    const nowMs = this.#clock.elapsedMs()
    const isOurs = await this.#database.write(async (transaction) => {
      const result = await transaction
        .updateTable('leases')
        .set({ beat: sql<number>`beat + 1` })
        .where('name', '=', this.#name)
        .where('holder', '=', this.#holder)
        .where('fence', '=', held.fence)
        .executeTakeFirst()
      return Number(result.numUpdatedRows) === 1
    })
    if (isOurs) this.#hold(held.fence, nowMs)
    else this.#held = undefined
    return isOurs
  }

  /** For the next one at once. What it did must have ended. */
  async release(): Promise<void> {
    const held = this.#held
    this.#held = undefined
    if (held === undefined) return
    await this.#database.write(async (transaction) => {
      await transaction
        .updateTable('leases')
        .set({ holder: '' })
        .where('name', '=', this.#name)
        .where('holder', '=', this.#holder)
        .where('fence', '=', held.fence)
        .execute()
    })
  }

  #hold(fence: number, fromMs: number): void {
    this.#held = { fence, untilMs: fromMs + LEASE_MS * OWN_SHARE }
  }

  /** A holder is watched from when the look at it has been answered: its renewal was before. */
  #isStale(row: Tables['leases'], nowMs: number): boolean {
    const { fence, beat } = row
    const seen = this.#seen
    if (seen !== undefined && seen.fence === fence && seen.beat === beat)
      return nowMs - seen.sinceMs >= LEASE_MS
    this.#seen = { fence, beat, sinceMs: nowMs }
    return false
  }

  async #read(): Promise<Tables['leases'] | undefined> {
    return await this.#database.read
      .selectFrom('leases')
      .selectAll()
      .where('name', '=', this.#name)
      .executeTakeFirst()
  }

  /** Only what was seen is taken: a renewal or another taker in between leaves it as it is. */
  async #take(
    transaction: DatabaseTransaction,
    seen: Tables['leases'] | undefined,
  ): Promise<number | undefined> {
    if (seen === undefined) {
      const row = { name: this.#name, holder: this.#holder, fence: 1, beat: 0 }
      const made = await transaction
        .insertInto('leases')
        .values(row)
        .onConflict((conflict) => conflict.column('name').doNothing())
        .executeTakeFirst()
      return Number(made.numInsertedOrUpdatedRows) === 1 ? 1 : undefined
    }
    const fence = seen.fence + 1
    const taken = await transaction
      .updateTable('leases')
      .set({ holder: this.#holder, fence, beat: 0 })
      .where('name', '=', this.#name)
      .where('holder', '=', seen.holder)
      .where('fence', '=', seen.fence)
      .where('beat', '=', seen.beat)
      .executeTakeFirst()
    return Number(taken.numUpdatedRows) === 1 ? fence : undefined
  }
}

/** Inside the transaction that the lease is for. Fails with database.lease_lost when another holds
 *  it. */
export async function requireFence(transaction: DatabaseTransaction, held: Fence): Promise<void> {
  const row = await transaction
    .selectFrom('leases')
    .select('name')
    .where('name', '=', held.name)
    .where('holder', '=', held.holder)
    .where('fence', '=', held.fence)
    .executeTakeFirst()
  if (row === undefined) throw new Failure('database.lease_lost')
}
