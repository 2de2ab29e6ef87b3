// Limits of calls a minute and caller, shared by all processes of the portal (decision 9.4): each
// counts by itself and adds its counts to the database a few times a second, where it reads what
// the others counted. What guesses secrets is counted in the database before it is looked at.
import { sql } from 'kysely'
import { networkOf } from '../../infra/access/attempts.ts'
import type { Clock } from '../../infra/clock.ts'
import { describeError, type Logger } from '../../infra/logger.ts'
import { Failure } from '../../schemas/failures.ts'
import { jsonRows } from '../database/json-rows.ts'
import type { PortalDatabase, PortalTransaction } from '../database/open.ts'

const MINUTE_MS = 60_000
const SHARE_EVERY_MS = 250
/** Bounds memory; beyond it the oldest is forgotten. */
const MAX_CALLERS = 50_000
const KEPT_MINUTES = 60
const GUESSES_A_MINUTE = 60

export type RateState = {
  readonly limit: number
  readonly remaining: number
  /** Until the minute ends. */
  readonly resetSeconds: number
}

type Count = { minute: number; own: number; unshared: number; others: number }

export class RateLimits {
  readonly #database: PortalDatabase
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #counts = new Map<string, Count>()
  readonly #changed = new Set<string>()
  #sharing: Promise<void> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(deps: { database: PortalDatabase; clock: Clock; logger: Logger }) {
    this.#database = deps.database
    this.#clock = deps.clock
    this.#logger = deps.logger
  }

  /** Counts a call; a refused one has no `remaining` and was not counted. */
  take(caller: string, limit: number): RateState & { readonly isRefused: boolean } {
    const nowMs = this.#clock.nowMs()
    const minute = Math.floor(nowMs / MINUTE_MS)
    const resetSeconds = Math.max(1, Math.ceil(((minute + 1) * MINUTE_MS - nowMs) / 1000))
    const count = this.#countOf(caller, minute)
    const used = count.own + count.others
    if (used >= limit) return { limit, remaining: 0, resetSeconds, isRefused: true }
    count.own += 1
    count.unshared += 1
    this.#changed.add(caller)
    this.#shareSoon()
    return { limit, remaining: limit - used - 1, resetSeconds, isRefused: false }
  }

  /** For guesses at secrets: counted in the database first, so that neither a second process nor a
   *  restart gives new tries. Resolves with the calls of this minute. Fails with
   *  portal.rate_limited. */
  async takeStrictly(caller: string, limit: number): Promise<number> {
    const nowMs = this.#clock.nowMs()
    const calls = await this.count(caller)
    if (calls <= limit) return calls
    const endMs = (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS
    const seconds = Math.max(1, Math.ceil((endMs - nowMs) / 1000))
    throw new Failure('portal.rate_limited', { seconds })
  }

  /** Counts as takeStrictly does, where a refusal is not to be told as one. */
  async isWithin(caller: string, limit: number): Promise<boolean> {
    return (await this.count(caller)) <= limit
  }

  /** Counts in the database, as takeStrictly does; resolves with the calls of this minute. */
  async count(caller: string): Promise<number> {
    const minute = this.#minute()
    const [calls] = await this.#database.write((t) => addCalls(t, [{ caller, minute, calls: 1 }]))
    return calls ?? Number.POSITIVE_INFINITY
  }

  /** Whether a strict count was made in the last minutes (60 at most), in any process. */
  async hasCounted(caller: string, minutes: number): Promise<boolean> {
    const found = this.#database.read.selectFrom('rate_counts').select('calls')
    const [row] = await found
      .where('caller', '=', storable(caller))
      .where('minute', '>', this.#minute() - minutes)
      .limit(1)
      .execute()
    return row !== undefined
  }

  /** Takes back the strict counts of this minute. */
  async forget(transaction: PortalTransaction, caller: string): Promise<void> {
    await transaction
      .deleteFrom('rate_counts')
      .where('caller', '=', storable(caller))
      .where('minute', '=', this.#minute())
      .execute()
  }

  /** A credential that is none was shown. Fails with portal.rate_limited. */
  async takeGuess(address: string): Promise<void> {
    await this.takeStrictly(`guesses from ${networkOf(address)}`, GUESSES_A_MINUTE)
  }

  /** What is not shared yet is shared. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#sharing
    await this.#share()
  }

  #minute(): number {
    return Math.floor(this.#clock.nowMs() / MINUTE_MS)
  }

  #countOf(caller: string, minute: number): Count {
    const known = this.#counts.get(caller)
    if (known !== undefined && known.minute === minute) return known
    const count = { minute, own: 0, unshared: 0, others: 0 }
    this.#counts.delete(caller)
    const oldest = this.#counts.keys().next()
    if (this.#counts.size >= MAX_CALLERS && !oldest.done) this.#counts.delete(oldest.value)
    this.#counts.set(caller, count)
    return count
  }

  #shareSoon(): void {
    if (this.#timer !== undefined) return
    this.#timer = setTimeout(() => {
      this.#sharing = this.#share()
        .catch((error: unknown) =>
          this.#logger.warn('counts of calls are not shared', describeError(error)),
        )
        .finally(() => {
          this.#timer = undefined
          if (this.#changed.size > 0) this.#shareSoon()
        })
    }, SHARE_EVERY_MS)
    this.#timer.unref()
  }

  async #share(): Promise<void> {
    const callers = [...this.#changed].flatMap((caller) => {
      const count = this.#counts.get(caller)
      return count === undefined || count.unshared === 0 ? [] : [{ caller, count }]
    })
    this.#changed.clear()
    if (callers.length === 0) return
    const taken = callers.map(({ caller, count }) => {
      const { minute, unshared: calls } = count
      return { caller, count, minute, calls }
    })
    const totals = await this.#database.write(async (transaction) => {
      const oldest = Math.floor(this.#clock.nowMs() / MINUTE_MS) - KEPT_MINUTES
      await transaction.deleteFrom('rate_counts').where('minute', '<', oldest).execute()
      return await addCalls(transaction, taken)
    })
    for (const [at, { count, calls }] of taken.entries()) {
      count.unshared -= calls
      count.others = Math.max(0, (totals[at] ?? 0) - (count.own - count.unshared))
    }
  }
}

type Calls = { readonly caller: string; readonly minute: number; readonly calls: number }
const COLUMNS = { caller: 'text', minute: 'bigint', calls: 'bigint' } as const

/** Resolves with the calls of each in its minute, of all processes. Each caller stands once. */
async function addCalls(
  transaction: PortalTransaction,
  counts: readonly Calls[],
): Promise<(number | undefined)[]> {
  const named = counts.map((one) => ({ ...one, caller: storable(one.caller) }))
  const { rows } = await sql<Calls>`insert into rate_counts (caller, minute, calls)
    select caller, minute, calls from ${jsonRows(transaction, COLUMNS, named)} as c where true
    on conflict (caller, minute) do update set calls = rate_counts.calls + excluded.calls
    returning caller, calls
  `.execute(transaction)
  const totals = new Map(rows.map(({ caller, calls }) => [caller, calls]))
  return named.map(({ caller }) => totals.get(caller))
}

/** A caller may hold what somebody typed. */
function storable(caller: string): string {
  return caller.replace(/\p{Surrogate}/gu, '\ufffd')
}
