// The writer: one loop for each partition that this process owns, event log -> store (decision
// 0003).
import type { Clock } from '../../infra/clock.ts'
import type { Config } from '../../infra/config-schema.ts'
import { eventLogNumberOf } from '../../infra/event-log/places.ts'
import type { EventLog, Ownership } from '../../infra/event-log/port.ts'
import { describeError, type Logger } from '../../infra/logger.ts'
import type { Metastore } from '../../infra/metastore/port.ts'
import type { Metrics } from '../../infra/metrics.ts'
import { optional } from '../../infra/optional.ts'
import type { Store } from '../../infra/store/port.ts'
import type { Damage } from '../../schemas/keep/store-damage.ts'
import type { Locate } from '../split/template/locator.ts'
import type { Unit } from './batch/batch.ts'
import { BatchFactory } from './batch/batch-factory.ts'
import { EventSplitter } from './batch/event-splitter.ts'
import { LogAllowances } from './batch/log-allowances.ts'
import { ColumnDirectory } from './batch/log-columns.ts'
import { BatchGate } from './batch-gate.ts'
import { BatchStorer } from './batch-storer.ts'
import { BlockReader } from './block-reader.ts'
import { keepTrying, Stopped } from './keep-trying.ts'
import { StoreKeys } from './keys/stored-keys.ts'
import { stoppedDamage } from './name-damage.ts'
import { PartitionLoop } from './partition-loop.ts'
import { parseState, type WriterState } from './position-state.ts'
import { type MakeDropFilter, Shaper } from './shaping/shaper.ts'
import { StoreTables } from './store-tables.ts'
import { WriterTelemetry } from './telemetry.ts'
import { watchStore } from './watch/watch-store.ts'
import { watchStoreSize } from './watch/watch-store-size.ts'

/** Policies x days of an insert; the engine refuses more than 100 table partitions. */
const MAX_UNITS = 90
/** Paths x rows of the JSON column, a byte each. */
const MAX_CELLS = 24 * 1024 * 1024
const MAX_NAME_BYTES = 128 * 1024 * 1024
/** What the batch on its way gets to be committed when the writer stops or loses the partition;
 *  then it is left to the next writer. */
const GRACE_MS = 600
const END_MS = 300

export type WriterDeps = {
  readonly eventLog: EventLog
  readonly store: Store
  readonly metastore: Metastore
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  readonly limits: Config['writer']
  /** Keeps it for health, searches and `doctor`; with the same id again it is one. */
  readonly nameDamage: (damage: Damage) => Promise<void>
  /** Whether retention is taking one of the units out of the store; default: never. */
  readonly isBeingRemoved?: (units: readonly Unit[]) => Promise<boolean>
  /** Nothing where it is not named. */
  readonly clearDamage: (id: string) => Promise<void>
  /** What the database says was committed of a partition, at least: for a position that does not
   *  say it. Default 0. */
  readonly readTotal?: (partition: number) => Promise<number>
  /** For `{geoip}` of templates; absent: there are no places. */
  readonly locate?: Locate | undefined
  /** Reads the drop filters of accounts; absent: they drop nothing. */
  readonly makeDropFilter?: MakeDropFilter
}

export interface Writer {
  /** Bounded; what is under way is committed or taken up by the next start. */
  stop(): Promise<void>
  /** Resolves when no batch is on its way to the store, and none goes until the returned function
   *  is called. Fails with store.unavailable. */
  hold(signal: AbortSignal): Promise<() => void>
  /** true, or why not: the store does not answer, or a partition was given up. */
  readiness(): true | string
}

/** `stop`: take no more. `break`: give up what is under way, too. */
type Signals = { readonly stop: AbortSignal; readonly break: AbortSignal }

export function startWriter(deps: WriterDeps): Writer {
  const stopping = new AbortController()
  const { signal } = stopping
  const partitions = new Map<number, OwnedPartition>()
  const gate = new BatchGate(deps.clock)
  let isStoreThere = true
  // These end with the signal and never reject.
  void watchStoreSize({ ...deps, signal })
  void watchStore({
    ...deps,
    signal,
    onAnswer: (isThere) => {
      isStoreThere = isThere
      for (const partition of partitions.values()) partition.noteStore(isThere)
    },
  })
  const done = deps.eventLog.own((number, ownership) => {
    const partition = partitions.get(number) ?? new OwnedPartition(deps, number, gate)
    partitions.set(number, partition)
    partition.noteStore(isStoreThere)
    return partition.run(ownership)
  }, signal)
  return {
    stop: async () => {
      stopping.abort()
      await Promise.race([done, deps.clock.sleep(GRACE_MS + END_MS)])
    },
    hold: (until) => gate.hold(until),
    readiness: () => {
      const owned = [...partitions.values()]
      if (owned.some((partition) => partition.hasFailed)) return 'a partition is stopped'
      if (owned.some((partition) => !partition.hasStore)) return 'the store takes nothing'
      return owned.find((partition) => partition.stuckAt)?.stuckAt ?? true
    },
  }
}

/** A partition that this process owns, or has owned: one for its life, since its metrics are. */
class OwnedPartition {
  readonly #deps: WriterDeps
  readonly #partition: number
  readonly #gate: BatchGate
  readonly #telemetry: WriterTelemetry
  #isOwned = false
  #hasFailed = false

  constructor(deps: WriterDeps, partition: number, gate: BatchGate) {
    this.#deps = deps
    this.#gate = gate
    this.#partition = partition
    this.#telemetry = new WriterTelemetry({ ...deps, partition })
    this.#telemetry.watchLag(deps.metrics, deps.eventLog, () => this.#isOwned)
  }

  get hasFailed(): boolean {
    return this.#hasFailed
  }

  get hasStore(): boolean {
    return !this.#isOwned || this.#telemetry.isStoreThere
  }

  get stuckAt(): string | undefined {
    return this.#isOwned ? this.#telemetry.stuckAt : undefined
  }

  /** Whether the store answers at all, whatever became of the last batch. */
  noteStore(isThere: boolean): void {
    this.#telemetry.storeIsThere(isThere)
  }

  async run(ownership: Ownership): Promise<void> {
    const { clock, logger } = this.#deps
    const ended = new AbortController()
    const breaking = new AbortController()
    const lost = () => {
      void clock.sleep(GRACE_MS, ended.signal).then(() => breaking.abort())
    }
    if (ownership.lost.aborted) return
    ownership.lost.addEventListener('abort', lost, { once: true })
    this.#telemetry.owned()
    this.#isOwned = true
    this.#hasFailed = false
    const signals = { stop: ownership.lost, break: breaking.signal }
    try {
      const around = { telemetry: this.#telemetry, gate: this.#gate }
      await runPartition(this.#deps, this.#partition, ownership, around, signals)
      // It ends by itself only when it has to be given up.
      this.#hasFailed = !ownership.lost.aborted
    } catch (error) {
      if (error instanceof Stopped) return
      this.#hasFailed = true
      this.#telemetry.alarm(true)
      logger.error(phraseOf(error), { partition: this.#partition, ...describeError(error) })
      if (error instanceof NotOfOneMoment) await this.#nameStopped(ownership.lost)
    } finally {
      ownership.lost.removeEventListener('abort', lost)
      ended.abort()
      // A stopped partition shows its alarm until somebody owns it again.
      if (!this.#hasFailed) this.#isOwned = false
    }
  }

  /** Nobody stores the events that searches miss now. Never rejects. */
  async #nameStopped(signal: AbortSignal): Promise<void> {
    const { clock, logger, nameDamage } = this.#deps
    const partition = this.#partition
    const name = () => nameDamage(stoppedDamage(partition, clock.nowMs()))
    const around = { clock, logger, partition, signal, telemetry: this.#telemetry }
    try {
      await keepTrying('stopped partition not named, trying again', name, around)
    } catch (error) {
      if (!(error instanceof Stopped))
        logger.error('stopped partition not named', { partition, ...describeError(error) })
    }
  }
}

async function runPartition(
  deps: WriterDeps,
  partition: number,
  ownership: Ownership,
  { telemetry, gate }: { readonly telemetry: WriterTelemetry; readonly gate: BatchGate },
  signals: Signals,
): Promise<void> {
  const { eventLog, store, metastore, clock, logger, limits } = deps
  const tables = new StoreTables({ store, partition, signal: signals.break, ownership })
  const start = await readStart(deps, partition, { tables, telemetry }, signals.stop)
  const stored = new StoreKeys({ store, partition, logger, clock, signal: signals.break })
  const makeFactory = () =>
    new BatchFactory({
      reader: new BlockReader({ eventLog, metastore, partition }),
      metastore,
      columns: new ColumnDirectory(metastore),
      allowances: new LogAllowances(metastore, limits),
      splitterFor: splitters(deps.locate),
      shaper: new Shaper(deps.makeDropFilter),
      partition,
    })
  const storer = new BatchStorer(
    {
      eventLog,
      tables,
      partition,
      clock,
      logger,
      telemetry,
      stored,
      nameDamage: deps.nameDamage,
      ...optional('isBeingRemoved', deps.isBeingRemoved),
      signal: signals.break,
      // A new one each time: what it remembers of logs must not be older than the batch.
      rebuilder: makeFactory,
    },
    start.state,
  )
  const loop = new PartitionLoop({
    partition,
    next: start.next,
    storer,
    gate,
    readTotal: async () => {
      const [{ events }, gone, keys, known] = await Promise.all([
        tables.counted(),
        tables.goneUncounted(),
        tables.keysByDay(),
        deps.readTotal?.(partition) ?? 0,
      ])
      return { events: Math.max(events + gone, known), atMs: clock.nowMs(), keys }
    },
    factory: makeFactory(),
    stored,
    metastore,
    limits: {
      maxRows: limits.maxBatchRows,
      maxBytes: limits.maxBatchBytes,
      maxUnits: MAX_UNITS,
      maxCells: MAX_CELLS,
      maxNameBytes: MAX_NAME_BYTES,
    },
    columnsPerLog: limits.columnsPerLog,
    clock,
    logger,
    telemetry,
    signal: signals.stop,
  })
  await loop.run()
}

/** Fails with Stopped. */
async function readStart(
  { eventLog, clock, logger, clearDamage }: WriterDeps,
  partition: number,
  { tables, telemetry }: { tables: StoreTables; telemetry: WriterTelemetry },
  signal: AbortSignal,
): Promise<{ next: number; state: WriterState }> {
  const read = () => eventLog.position(partition, { isExact: true })
  const around = { clock, logger, partition, signal, telemetry }
  const { next, metadata } = await keepTrying('position not read, trying again', read, around)
  const ask = async () => {
    const counted = await tables.counted().catch((error: unknown) => {
      telemetry.storeAnswers(false)
      throw error
    })
    telemetry.storeAnswers(true)
    return counted
  }
  const { upto } = await keepTrying('counters not read, trying again', ask, around)
  const state = parseState(metadata) ?? firstState(clock, Math.max(next, upto))
  if (upto > state.number) throw new EventLogIsOlder('the counters include later batches')
  checkNumber(next, state.number)
  const clear = () => clearDamage(stoppedDamage(partition, clock.nowMs()).id)
  await keepTrying('damage not cleared, trying again', clear, around)
  return { next, state }
}

/** `number`: numbers of intents rise over all event logs that there were, as places do. */
function firstState(clock: Clock, number: number): WriterState {
  return {
    id: clock.randomBytes(6).toString('hex'),
    number,
    index: 0,
    sequences: new Map(),
    intent: undefined,
    stored: undefined,
  }
}

/** Fails where the database gives the event log a lower number (places.ts) than writers had: places
 *  would be there twice. */
export function checkNumber(next: number, intent: number): void {
  const [known, had] = [next, intent].map(eventLogNumberOf)
  if (had !== undefined && known !== undefined && had > known)
    throw new EventLogIsUnknown(`it is number ${known}, it was ${had}`)
}

function phraseOf(error: unknown): string {
  if (error instanceof EventLogIsOlder)
    return 'partition stopped, the event log is older than the store'
  if (error instanceof EventLogIsUnknown)
    return "partition stopped, the database does not know the number of the event log: stop all processes, run 'logeye adopt-event-log'"
  return 'partition stopped, the writer failed'
}

/** The partition stays stopped until an operator brings event log, store and database together. */
class NotOfOneMoment extends Error {}

class EventLogIsUnknown extends NotOfOneMoment {
  override name = 'EventLogIsUnknown'
}

/** It would bring what is stored into the store once more. */
class EventLogIsOlder extends NotOfOneMoment {
  override name = 'EventLogIsOlder'
}

/** One splitter a system time zone; the zone hardly ever changes. */
function splitters(locate: Locate | undefined): (timeZone: string) => EventSplitter {
  let zone = ''
  let splitter: EventSplitter | undefined
  return (timeZone) => {
    if (splitter === undefined || zone !== timeZone) {
      zone = timeZone
      splitter = new EventSplitter(timeZone, locate)
    }
    return splitter
  }
}
