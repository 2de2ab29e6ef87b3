// The ledger of the store (decision 0021): received = held + gone. Looks after each start, every
// hour, and when damage was accepted; what it finds lies in the database, for health, searches and
// `doctor` of every process.
import type { Clock } from '../../infra/clock.ts'
import { runAsHolder } from '../../infra/database/run-as-holder.ts'
import type { EventLog } from '../../infra/event-log/port.ts'
import { appendEvidence } from '../../infra/evidence/append-evidence.ts'
import { describeError, type Logger } from '../../infra/logger.ts'
import {
  keepDamage,
  keepTotals,
  nameDamage,
  readAccepted,
  readDamage,
} from '../../infra/metastore/ledger/store-damage.ts'
import { tellDamage } from '../../infra/metastore/ledger/tell-damage.ts'
import type { OpenedMetastore } from '../../infra/metastore/open.ts'
import { watchRemovals } from '../../infra/metastore/retention/unit-removals.ts'
import type { Metrics } from '../../infra/metrics.ts'
import type { Store } from '../../infra/store/port.ts'
import { isFailure } from '../../schemas/failures.ts'
import { DAMAGE_KINDS, type Damage } from '../../schemas/keep/store-damage.ts'
import { parseState } from '../writer/position-state.ts'
import type { Found } from './find-damage.ts'
import { type Look, look } from './look.ts'
import { partDamage } from './part-damage.ts'
import { repairParts } from './repair-parts.ts'
import { UnitReader } from './unit-sums.ts'
import { type StorePart, verifyParts } from './verify-parts.ts'

const EVERY_MS = 3_600_000
/** How often it is asked whether something was accepted. */
const ASK_MS = 1000
/** Between looks that fail: after one, and at most. */
const RETRY_MS = { first: 1000, most: 15_000 }
/** What is found is looked at again before it is said. */
const AGAIN_MS = 1000
const MAX_ROUNDS = 5
const MAX_EXAMPLES = 10

export type LedgerDeps = {
  readonly store: Store
  /** The store belongs to this program alone, with its files on this machine. */
  readonly isOwnStore: boolean
  readonly eventLog: EventLog
  readonly metastore: Pick<OpenedMetastore, 'database' | 'tree'>
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
}

export interface Ledger {
  /** Before a writer begins: a part that comes back later could be one that the writer wrote
   *  anew. */
  repair(signal: AbortSignal): Promise<void>
  /** Looks until `stop`. */
  start(): void
  /** The first look of this start is over, or is another process'. */
  isReady(): boolean
  stop(): Promise<void>
}

export function makeLedger(deps: LedgerDeps): Ledger {
  const stopping = new AbortController()
  const { signal } = stopping
  const watch = new StoreWatch(deps, signal)
  let running: Promise<void> = Promise.resolve()
  return {
    repair: (until) => watch.repair(until),
    start: () => {
      running = watch.run()
    },
    isReady: () => watch.hasLooked,
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

class StoreWatch {
  readonly #deps: LedgerDeps
  readonly #signal: AbortSignal
  readonly #reader: UnitReader
  readonly #repaired: ReturnType<Metrics['counter']>
  hasLooked = false
  #said = ''

  constructor(deps: LedgerDeps, signal: AbortSignal) {
    this.#deps = deps
    this.#signal = signal
    this.#reader = new UnitReader(deps.store, signal)
    const { metrics, metastore } = deps
    this.#repaired = metrics.counter(
      'logeye_store_repaired_parts_total',
      'Parts of the store that were repaired',
    )
    const damaged = metrics.gauge(
      'logeye_store_damaged_events',
      'Events that are missing, or not counted, and blocks of the event log that were damaged, not accepted as gone',
      ['kind'],
    )
    metrics.onRead(async () => {
      try {
        const damage = await readDamage(metastore.database.read)
        for (const kind of DAMAGE_KINDS) damaged.set(sumOf(damage, kind), { kind })
      } catch {
        // The last values stay: metrics must be readable while the database is away.
      }
    })
  }

  async repair(signal: AbortSignal): Promise<void> {
    const { store, isOwnStore, logger } = this.#deps
    if (!isOwnStore) return
    try {
      const repaired = await repairParts({
        store,
        reader: this.#reader,
        logger,
        signal,
        mayCount: () => this.#mayCount(),
        onRepaired: () => this.#repaired.inc(),
      })
      if (repaired > 0) await this.#tellRepair(repaired)
    } catch (error) {
      logger.warn('damaged parts of the store not looked at', describeError(error))
    }
  }

  async #tellRepair(parts: number): Promise<void> {
    const { metastore, clock } = this.#deps
    const content = { units: [], note: `parts of the store that were repaired: ${parts}` }
    await metastore.database.write(
      async (transaction) =>
        void (await appendEvidence(transaction, 'repair', { content, atMs: clock.nowMs() })),
    )
  }

  async run(): Promise<void> {
    const { isOwnStore, metastore, clock, logger } = this.#deps
    const { database } = metastore
    if (isOwnStore) return await this.#watch(this.#signal)
    this.hasLooked = true
    const options = { database, clock, logger, name: 'store ledger', signal: this.#signal }
    await runAsHolder(options, ({ signal }) => this.#watch(signal))
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { clock, isOwnStore } = this.#deps
    let isVerified = !isOwnStore
    let retryMs = RETRY_MS.first
    while (!signal.aborted) {
      const beganMs = clock.elapsedMs()
      const accepted = await this.#check(signal)
      if (accepted === undefined) {
        await clock.sleep(retryMs, signal)
        retryMs = Math.min(RETRY_MS.most, retryMs * 2)
        continue
      }
      retryMs = RETRY_MS.first
      if (!isVerified && !signal.aborted) {
        isVerified = true
        const { store, logger, metastore } = this.#deps
        const name = (part: StorePart) =>
          nameDamage(metastore.database, partDamage(part, clock.nowMs()))
        const count = async () => void (await this.#check(signal))
        await verifyParts({ store, clock, logger, signal, name, count }).catch((error: unknown) => {
          logger.warn('the parts of the store were not read', describeError(error))
        })
      }
      while (!signal.aborted && clock.elapsedMs() - beganMs < EVERY_MS) {
        await clock.sleep(ASK_MS, signal)
        if (await this.#hasAccepted(accepted)) break
      }
    }
  }

  async #hasAccepted(before: number): Promise<boolean> {
    try {
      return (await readAccepted(this.#deps.metastore.database.read)) !== before
    } catch {
      return false
    }
  }

  /** Gives what had been accepted then; undefined: it could not be done. */
  async #check(signal: AbortSignal): Promise<number | undefined> {
    const { logger, clock, metastore } = this.#deps
    const { database } = metastore
    try {
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        const accepted = await readAccepted(database.read)
        const seen = await this.#look(signal)
        if (signal.aborted) return undefined
        const before = await readDamage(database.read)
        const nowMs = clock.nowMs()
        const damage = seen.found.map((found) => named(found, before, clock))
        const { units, events } = seen
        const check = { checkedMs: nowMs, units, events, damage, accepted }
        if (!(await keepDamage(database, check))) continue
        await keepTotals(database, seen.totals, nowMs)
        await this.#say(damage)
        this.hasLooked = true
        return accepted
      }
    } catch (error) {
      if (signal.aborted) return undefined
      const isAway = isFailure(error) && error.code === 'store.unavailable'
      if (!isAway) this.hasLooked = true
      const fields = describeError(error)
      if (isAway) logger.warn('the store cannot be checked, trying again', fields)
      else logger.error('the store cannot be checked, trying again', fields)
    }
    return undefined
  }

  async #look(signal: AbortSignal): Promise<Look> {
    const { eventLog, clock, metastore } = this.#deps
    const watch = () => watchRemovals(metastore.database.read)
    const once = () => look({ reader: this.#reader, eventLog, clock, signal, watchRemovals: watch })
    const first = await once()
    if (first.found.length === 0) return first
    await clock.sleep(AGAIN_MS, signal)
    return await once()
  }

  async #say(damage: readonly Damage[]): Promise<void> {
    const { logger, metastore } = this.#deps
    const text = damage.map(keyOf).sort().join('\n')
    if (text === this.#said) return
    const wasDamaged = this.#said !== ''
    this.#said = text
    if (damage.length === 0) {
      if (wasDamaged) logger.info('the store has no damage that is not accepted')
      return
    }
    const { events, items } = (await tellDamage(metastore, { withLogs: true })) ?? {}
    const examples = items?.slice(0, MAX_EXAMPLES).map(({ message }) => message)
    logger.error('the store is damaged', {
      events: events ?? 0,
      items: damage.length,
      examples: examples?.join('; ') ?? '',
    })
  }

  /** Counters that came back may say no more than what was committed. */
  async #mayCount(): Promise<boolean> {
    const { eventLog } = this.#deps
    const { partitions } = await this.#reader.received()
    for (const [partition, { events }] of partitions) {
      if (partition >= eventLog.partitions) continue
      const { metadata } = await eventLog.position(partition, { isExact: true })
      const state = parseState(metadata)
      if (state?.stored === undefined || state.intent !== undefined) continue
      if (events > state.stored.events) return false
    }
    return true
  }
}

function keyOf(one: Found): string {
  const { kind, policyId, day, logId, partition, events } = one
  return [kind, policyId, day, logId, partition, events].join(' ')
}

/** As it was found first. */
function named(found: Found, before: readonly Damage[], clock: Clock): Damage {
  const known = before.find((one) => keyOf(one) === keyOf(found))
  const id = known?.id ?? clock.randomBytes(12).toString('hex')
  return { ...found, id, foundMs: known?.foundMs ?? clock.nowMs() }
}

function sumOf(damage: readonly Damage[], kind: Damage['kind']): number {
  return damage.reduce((sum, one) => sum + (one.kind === kind ? one.events : 0), 0)
}
