// Brings one batch into the store exactly once and commits it (decision 0003): intent, events,
// counters, keys, commit. After any doubt it asks the tables what is there and inserts only what is
// missing. A crash at any point is taken up by `resume`. One batch at a time a partition.
import type { Clock } from '../../infra/clock.ts'
import type { EventLog } from '../../infra/event-log/port.ts'
import { describeError, type Logger } from '../../infra/logger.ts'
import { Failure, isFailure } from '../../schemas/failures.ts'
import type { Damage } from '../../schemas/keep/store-damage.ts'
import type { Batch, Unit } from './batch/batch.ts'
import { type BatchFactory, type BatchJob, whatIsThere } from './batch/batch-factory.ts'
import type { RowLimits, UnitFilter } from './batch/row-builder.ts'
import { monthOf } from './counts/count-block.ts'
import type { Range } from './cursor.ts'
import { checkStopped, FIRST_WAIT_MS, keepTrying, logTried, MAX_WAIT_MS } from './keep-trying.ts'
import type { StoreKeys } from './keys/stored-keys.ts'
import { blockDamage } from './name-damage.ts'
import {
  addStored,
  type Intent,
  printState,
  type StoredTotal,
  type WriterState,
} from './position-state.ts'
import type { StoreTables } from './store-tables.ts'
import type { WriterTelemetry } from './telemetry.ts'

/** An insert that fails so often, while the store answers between, is halved like one that is
 *  refused: it may be what ends the store. */
const MAX_FAILURES = 4
/** A batch that wants more memory than there is wants less by halves, at once. Smaller ones wait:
 *  others have the memory then. */
const HALVED_FOR_MEMORY_ROWS = 1000
/** A single event is given up later: then it goes to System->rejected. */
const MAX_FAILURES_OF_ONE = 12
const DAY_MS = 86_400_000

/** What is in the store is not what this batch can have left: nothing may be guessed. */
export class UnitMismatch extends Error {
  override name = 'UnitMismatch'
}

export const NO_LIMITS: RowLimits = {
  maxRows: Number.POSITIVE_INFINITY,
  maxBytes: Number.POSITIVE_INFINITY,
  maxUnits: Number.POSITIVE_INFINITY,
  maxCells: Number.POSITIVE_INFINITY,
  maxNameBytes: Number.POSITIVE_INFINITY,
}

export class BatchStorer {
  readonly #options: BatchStorerOptions
  #state: WriterState

  constructor(options: BatchStorerOptions, state: WriterState) {
    this.#options = options
    this.#state = state
  }

  /** What is durable: everything below it is stored. */
  get state(): WriterState {
    return this.#state
  }

  /** Between batches, at the place that is committed. */
  async countFrom(stored: StoredTotal, next: number): Promise<void> {
    await this.#save(next, { ...this.#state, stored })
  }

  /** Takes up the intent that a crash or a stop left. */
  async resume(): Promise<void> {
    const { intent } = this.#state
    if (intent === undefined) return
    const batch = await this.#rebuild(intent)
    // The keys may be read from the store right now, without those of this batch.
    const removePending = this.#options.stored.addPending(batch.keys)
    await this.#storeWhole(batch, intent, { isDoubtful: true }).finally(removePending)
  }

  /** `settings`: with what the batch was built. `onSent`: called when the whole batch is first on
   *  its way to the store, if it ever is. */
  async store(batch: Batch, settings: BatchSettings, onSent: () => void): Promise<void> {
    if (isNothing(batch)) return await this.#commit(batch)
    const intent = await this.#saveIntent(batch, settings)
    await this.#storeWhole(batch, intent, { isDoubtful: false, onSent })
  }

  /** Halves a batch that the store refuses for its data or has not the memory for, down to the one
   *  event (decision 3.10). */
  async #storeWhole(batch: Batch, intent: Intent, options: InsertOptions): Promise<void> {
    const outcome = await this.#insert(batch, intent, options)
    if (outcome === 'stored') return await this.#commit(batch)
    this.#options.telemetry.refused()
    const settings = { ...intent, isDead: batch.rows === 1 }
    const maxRows = Math.ceil(batch.rows / 2)
    for (let from = batch.range.from; ; ) {
      const part = await this.#build({ from, to: batch.range.to }, settings, { maxRows })
      if (part === undefined) return
      // The insert that was refused may have left units of the whole batch.
      if (isNothing(part)) await this.#commit(part)
      else
        await this.#storeWhole(part, await this.#saveIntent(part, settings), { isDoubtful: true })
      from = part.range.to
      if (from.offset === batch.range.to.offset && from.index === batch.range.to.index) return
    }
  }

  /** Repeats until all is there; 'refused': the store refuses the events for what they are. */
  async #insert(
    batch: Batch,
    intent: Intent,
    { isDoubtful, onSent }: InsertOptions,
  ): Promise<'stored' | 'refused'> {
    const { telemetry, logger, clock, signal, tables } = this.#options
    await this.#waitForRemovals(batch)
    const maxFailures = batch.rows === 1 ? MAX_FAILURES_OF_ONE : MAX_FAILURES
    let failures = 0
    let waitMs = FIRST_WAIT_MS
    for (let attempt = isDoubtful ? 1 : 0; ; attempt += 1) {
      checkStopped(signal)
      const startedMs = clock.elapsedMs()
      let step: 'look-up' | 'events' | 'counts' | 'keys' = 'look-up'
      try {
        const queryIds = this.#queryIds(intent)
        if (attempt > 0) await tables.end([queryIds.events, queryIds.counts])
        const missing =
          batch.rows === 0 ? 'none' : attempt === 0 ? 'all' : await this.#missing(batch)
        step = 'events'
        if (missing === 'all') await tables.insertEvents(batch.events, queryIds.events, onSent)
        else if (missing !== 'none') await this.#insertUnits(intent, missing, queryIds.events)
        step = 'counts'
        await this.#insertCounts(batch, intent, queryIds.counts, attempt > 0)
        step = 'keys'
        await tables.insertKeys(batch.keys, queryIds.keys)
        telemetry.inserted(batch.rows, clock.elapsedMs() - startedMs)
        telemetry.storeAnswers(true)
        return 'stored'
      } catch (error) {
        checkStopped(signal)
        if (error instanceof UnitMismatch) throw error
        if (step === 'events') failures += isSuspicious(error) ? 1 : 0
        const isHalved = isMemory(error) && batch.rows > HALVED_FOR_MEMORY_ROWS
        const isRefused =
          step === 'events' && (isRefusal(error) || isHalved || failures >= maxFailures)
        if (isRefused && !intent.isDead) return 'refused'
        telemetry.storeAnswers(false)
        const fields = { partition: this.#options.partition, step, ...describeError(error) }
        // The store takes any bytes of a rejected event: so the data is not what it refuses.
        if (isRefused) logger.error('rejected event not stored, trying again', fields)
        else logTried(logger, 'batch not stored, trying again', fields)
        await clock.sleep(waitMs, signal)
        waitMs = Math.min(MAX_WAIT_MS, waitMs * 2)
      }
    }
  }

  /** A unit that retention takes out of the store gets no rows meanwhile, so that nothing of it is
   *  in doubt then (docs/decisions/0084). Of today and yesterday none is taken. */
  async #waitForRemovals({ units }: Batch): Promise<void> {
    const { clock, isBeingRemoved } = this.#options
    const today = Math.floor(clock.nowMs() / DAY_MS)
    const old = units.filter(({ day }) => day < today - 1)
    if (old.length === 0 || isBeingRemoved === undefined) return
    const wait = async () => {
      if (await isBeingRemoved(old)) throw new Failure('retention.being_removed')
    }
    await keepTrying('batch waits for the end of a removal', wait, this.#options)
  }

  async #missing(batch: Batch): Promise<'all' | 'none' | UnitFilter> {
    const there = await this.#options.tables.unitsThere(batch.range)
    const missing = missingUnits(batch.units, there)
    if (missing.length === 0) return 'none'
    if (there.length === 0) return 'all'
    return (policyId, day) => missing.some((unit) => unit.policyId === policyId && unit.day === day)
  }

  async #insertUnits(intent: Intent, filter: UnitFilter, queryId: string): Promise<void> {
    const part = await this.#build(intent, intent, { filter })
    if (part === undefined) throw new UnitMismatch('the blocks of an intent are gone')
    await this.#options.tables.insertEvents(part.events, queryId)
  }

  async #insertCounts(
    batch: Batch,
    intent: Intent,
    queryId: string,
    isDoubtful: boolean,
  ): Promise<void> {
    const { tables } = this.#options
    const upto = intent.number
    const months = [...new Set(batch.counts.map(monthOf))]
    const counted = isDoubtful ? await tables.monthsCounted(months, upto) : new Set<number>()
    const counts = batch.counts.filter((count) => !counted.has(monthOf(count)))
    await tables.insertCounts(counts, { upto, queryId })
  }

  async #rebuild(intent: Intent): Promise<Batch> {
    const batch = await this.#build(intent, intent, {})
    if (batch === undefined) throw new UnitMismatch('the blocks of an intent are gone')
    return batch
  }

  async #build(
    range: Range,
    settings: Intent,
    { filter, maxRows }: { filter?: UnitFilter; maxRows?: number },
  ): Promise<Batch | undefined> {
    const { signal, rebuilder, stored } = this.#options
    const job: BatchJob = {
      from: range.from,
      to: range.to,
      sequences: this.#state.sequences,
      mode: { kind: 'replay', maxLogId: settings.maxLogId },
      limits: maxRows === undefined ? NO_LIMITS : { ...NO_LIMITS, maxRows },
      columnsPerLog: settings.columnsPerLog,
      timeZone: settings.timeZone,
      builtMs: settings.builtMs,
      isDead: settings.isDead,
      filter,
      stored,
    }
    const build = async () => {
      const batch = await rebuilder().build(job, whatIsThere, signal)
      // What was built until the stop is not the whole range.
      checkStopped(signal)
      return batch
    }
    return await keepTrying('batch not built, trying again', build, this.#options)
  }

  async #saveIntent(batch: Batch, settings: BatchSettings): Promise<Intent> {
    const intent: Intent = {
      number: this.#state.number + 1,
      from: batch.range.from,
      to: batch.range.to,
      isDead: settings.isDead,
      maxLogId: Math.max(batch.maxLogId, settings.maxLogId ?? 0),
      columnsPerLog: settings.columnsPerLog,
      timeZone: settings.timeZone,
      builtMs: settings.builtMs,
    }
    await this.#save(batch.range.from.offset, { ...this.#state, number: intent.number, intent })
    return intent
  }

  async #commit(batch: Batch): Promise<void> {
    const { to } = batch.range
    const { telemetry } = this.#options
    const { stored: before } = this.#state
    const state = {
      ...this.#state,
      index: to.index,
      sequences: batch.sequences,
      intent: undefined,
      stored: before && addStored(before, batch, this.#options.clock.nowMs()),
    }
    if (batch.stats.damaged.length > 0) await this.#name(batch.stats.damaged)
    try {
      await this.#save(to.offset, state)
    } catch (error) {
      telemetry.undecided(batch)
      throw error
    }
    telemetry.committed(batch)
  }

  /** Before the commit: after it nothing returns to these blocks. */
  async #name(offsets: readonly number[]): Promise<void> {
    const { partition, clock, nameDamage } = this.#options
    const damage = blockDamage({ partition, offsets, metMs: clock.nowMs() })
    const name = () => nameDamage(damage)
    await keepTrying('damaged blocks not named, trying again', name, this.#options)
  }

  /** Repeated like everything else: a full disk or a broker that is away must not lose the
   *  place. */
  async #save(next: number, state: WriterState): Promise<void> {
    const { eventLog, partition } = this.#options
    const save = () => eventLog.savePosition(partition, { next, metadata: printState(state) })
    await keepTrying('position not saved, trying again', save, this.#options)
    this.#state = state
  }

  /** The same for each try of one intent: the store refuses two queries of one id at a time. */
  #queryIds({ number }: Intent): { events: string; counts: string; keys: string } {
    const name = `logeye-writer-${this.#state.id}-${this.#options.partition}-${number}`
    return { events: `${name}-events`, counts: `${name}-counts`, keys: `${name}-keys` }
  }
}

export type BatchSettings = Pick<Intent, 'isDead' | 'columnsPerLog' | 'timeZone' | 'builtMs'> & {
  readonly maxLogId?: number
}

export type BatchStorerOptions = {
  readonly eventLog: Pick<EventLog, 'savePosition'>
  readonly tables: StoreTables
  readonly partition: number
  readonly clock: Clock
  readonly logger: Logger
  readonly telemetry: WriterTelemetry
  /** For health, searches and `doctor`. */
  readonly nameDamage: (damage: Damage) => Promise<void>
  readonly stored: Pick<StoreKeys, 'find' | 'addPending'>
  /** Whether one of the units is being taken out of the store. */
  readonly isBeingRemoved?: (units: readonly Unit[]) => Promise<boolean>
  readonly signal: AbortSignal
  /** Gives a factory to build ranges again, not the one of the batches to come, which is at work at
   *  the same time. */
  readonly rebuilder: () => BatchFactory
}

type InsertOptions = { readonly isDoubtful: boolean; readonly onSent?: () => void }

/** Events may all be dropped by rules, and their request have a key all the same. */
function isNothing({ rows, keys }: Batch): boolean {
  return rows === 0 && keys.length === 0
}

function isMemory(error: unknown): boolean {
  return isFailure(error) && error.code === 'store.memory'
}

function isRefusal(error: unknown): boolean {
  return isFailure(error) && error.code === 'store.data'
}

/** Neither a store that is away (then the look-up fails first), nor one that asks to wait (no room,
 *  too many parts). */
function isSuspicious(error: unknown): boolean {
  if (!isFailure(error)) return true
  if (error.code === 'store.failed' || isMemory(error)) return true
  const { cause } = error
  const hasAnswered = cause instanceof Error && 'code' in cause && Number(cause.code) > 0
  return error.code === 'store.unavailable' && !hasAnswered
}

/** Every unit that is there must be whole and one of ours (exactly-once rule, step 3). */
export function missingUnits(wanted: readonly Unit[], there: readonly Unit[]): Unit[] {
  const open = new Map(wanted.map((unit) => [`${unit.policyId} ${unit.day}`, unit]))
  for (const unit of there) {
    const key = `${unit.policyId} ${unit.day}`
    const want = open.get(key)
    if (want === undefined || want.rows !== unit.rows) {
      throw new UnitMismatch('the store holds another number of rows than the batch')
    }
    open.delete(key)
  }
  return [...open.values()]
}
