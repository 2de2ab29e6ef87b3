// Builds batches: reads blocks, makes their rows, creates the logs and records the columns that
// they need, encodes them. A guard that met its limit only while the rows were made (decision 3.5)
// makes them once more, now knowing it.
import { setImmediate } from 'node:timers/promises'
import type { LogTree } from '../../../infra/metastore/tree/port.ts'
import { logPathKey } from '../../../schemas/names/log-path.ts'
import { ByteBuffer } from '../../bytes/byte-buffer.ts'
import {
  type BlockReader,
  type DecodedBlock,
  isLaterBlock,
  type StoredKeys,
} from '../block-reader.ts'
import type { Count } from '../counts/count-sums.ts'
import type { Cursor } from '../cursor.ts'
import type { RequestKey } from '../keys/idempotency-window.ts'
import { EventBlock } from '../native/event-block.ts'
import { noteSequence, type Sequences } from '../position-state.ts'
import type { Shaper } from '../shaping/shaper.ts'
import type { Batch, LogCount, Unit } from './batch.ts'
import { BatchLogs, type LogMode, type LogSlot } from './batch-logs.ts'
import type { EventSplitter } from './event-splitter.ts'
import type { LogAllowances } from './log-allowances.ts'
import type { ColumnDirectory } from './log-columns.ts'
import { RowBuilder, type RowLimits, type UnitFilter } from './row-builder.ts'

const KEPT_OUTPUT_BYTES = 64 * 1024 * 1024
/** Each pass learns of one more limit at least; more passes than these are a bug. */
const MAX_PASSES = 6
/** Passes that are done once more because a log was removed meanwhile. */
const MAX_REMOVALS = 2

export type BatchJob = {
  readonly from: Cursor
  /** undefined: as many blocks as there are within the `Patience` of the caller and the limits of a
   *  batch. */
  readonly to?: Cursor | undefined
  readonly sequences: Sequences
  readonly mode: LogMode
  readonly limits: RowLimits
  readonly columnsPerLog: number
  readonly timeZone: string
  readonly builtMs: number
  readonly isDead: boolean
  readonly filter?: UnitFilter | undefined
  readonly stored: StoredKeys
}

/** Milliseconds to wait for the blocks that come next; undefined: enough. */
export type Patience = (rows: number) => number | undefined

/** Everything that is there, without waiting. */
export const whatIsThere: Patience = () => 0

type Walk = {
  readonly to: Cursor
  readonly sequences: Sequences
  readonly oldestReceivedMs: number
}

export class BatchFactory {
  readonly #reader: BlockReader
  readonly #metastore: Pick<LogTree, 'tree' | 'addLogs' | 'addTypeWords'>
  readonly #columns: ColumnDirectory
  readonly #allowances: LogAllowances
  readonly #splitterFor: (timeZone: string) => EventSplitter
  readonly #shaper: Shaper | undefined
  readonly #partition: number
  readonly #events = new EventBlock()
  /** Two, in turn: one may be on its way to the store while the next is written. */
  readonly #outputs = [makeOutput(), makeOutput()]
  #output = 0

  constructor(options: {
    reader: BlockReader
    metastore: Pick<LogTree, 'tree' | 'addLogs' | 'addTypeWords'>
    columns: ColumnDirectory
    allowances: LogAllowances
    splitterFor: (timeZone: string) => EventSplitter
    shaper?: Shaper
    partition: number
  }) {
    this.#reader = options.reader
    this.#metastore = options.metastore
    this.#columns = options.columns
    this.#allowances = options.allowances
    this.#splitterFor = options.splitterFor
    this.#shaper = options.shaper
    this.#partition = options.partition
  }

  /** undefined: no block came. Throws store and database failures as they are. */
  async build(job: BatchJob, patience: Patience, signal: AbortSignal): Promise<Batch | undefined> {
    let to = job.to
    let wait = patience
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      const keys = new Map<string, RequestKey>()
      const logs = await this.#startLogs(job)
      const rows = this.#startRows(job, logs)
      const walk = await this.#walk({ ...job, to }, rows, keys, wait, signal)
      if (walk === undefined) return undefined
      // A further pass takes the same blocks: only what is known of the logs may differ.
      to = walk.to
      wait = whatIsThere
      if (!(await this.#settle(job, logs))) continue
      if (pass < MAX_REMOVALS && (await this.#isLogRemoved(job, logs))) continue
      return this.#encode(job, walk, rows, logs, keys)
    }
    throw new Error('the guards of a batch do not settle')
  }

  async #startLogs(job: BatchJob): Promise<BatchLogs> {
    this.#columns.forgetOldest()
    return new BatchLogs({
      tree: await this.#metastore.tree(),
      columns: this.#columns,
      columnsPerLog: job.columnsPerLog,
      mode: job.mode,
      allowances: await this.#allowances.current(),
    })
  }

  #startRows(job: BatchJob, logs: BatchLogs): RowBuilder {
    return new RowBuilder({
      events: this.#events,
      splitter: this.#splitterFor(job.timeZone),
      shaper: this.#shaper,
      logs,
      limits: job.limits,
      partition: this.#partition,
      filter: job.filter,
      isDead: job.isDead,
      unreadableMs: job.builtMs,
    })
  }

  async #walk(
    job: BatchJob,
    rows: RowBuilder,
    keys: Map<string, RequestKey>,
    patience: Patience,
    signal: AbortSignal,
  ): Promise<Walk | undefined> {
    const sequences = new Map(job.sequences)
    let oldestReceivedMs = Number.POSITIVE_INFINITY
    let at = job.from
    while (!signal.aborted && !isReached(at, job.to)) {
      const waitMs = patience(rows.events.rows)
      if (waitMs === undefined) break
      const decoded = await this.#read(at, job.from, waitMs, signal)
      if (decoded === 'end') break
      if (decoded.length === 0) {
        if (waitMs === 0 || rows.events.rows === 0) break
        continue
      }
      const { fresh, copied } = withoutStored(decoded, sequences)
      rows.stats.copied += copied
      for (const block of await this.#reader.resolve(fresh, keys, job.stored)) {
        const from = block.offset === job.from.offset ? job.from.index : 0
        const end = endInBlock(block.offset, job.to)
        if (end === 0) return { to: job.to ?? at, sequences, oldestReceivedMs }
        const stop = rows.append(block, from, end)
        oldestReceivedMs = Math.min(
          oldestReceivedMs,
          block.block?.requests[0]?.receivedMs ?? job.builtMs,
        )
        if (stop !== undefined) {
          return { to: { offset: block.offset, index: stop }, sequences, oldestReceivedMs }
        }
        if (end !== Number.POSITIVE_INFINITY) {
          return { to: job.to ?? at, sequences, oldestReceivedMs }
        }
        if (block.block) noteSequence(sequences, block.block.listener, block.block.sequence)
      }
      at = { offset: (decoded.at(-1)?.offset ?? at.offset) + 1, index: 0 }
      // The connections' turn: the last pieces of the batch before, the broker's heartbeat.
      await setImmediate()
    }
    if (at === job.from) return undefined
    return { to: job.to ?? at, sequences, oldestReceivedMs }
  }

  /** 'end': a block comes that this program cannot read, and what stands before it is to be stored
   *  first. */
  async #read(
    at: Cursor,
    from: Cursor,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<DecodedBlock[] | 'end'> {
    try {
      return await this.#reader.read(at.offset, waitMs, signal)
    } catch (error) {
      if (at !== from && isLaterBlock(error)) return 'end'
      throw error
    }
  }

  /** Makes logs, records columns and types. False: a limit was met, build the rows again. */
  async #settle(job: BatchJob, logs: BatchLogs): Promise<boolean> {
    const isCreating = job.mode.kind === 'create'
    if (isCreating && !(await this.#allowances.settle(logs.plannedByHour()))) return false
    await logs.create(this.#metastore)
    if (isCreating && (await this.#isRefusedLogThere(logs))) return false
    await this.#columns.load(logs.slots.map(({ logId }) => logId))
    let isSettled = true
    for (const { guard, logId } of logs.slots) {
      const known = this.#columns.known(logId)
      if (known === undefined || !guard.settle(known)) isSettled = false
    }
    if (!isSettled) return false
    await this.#metastore.addTypeWords(logs.newTypeWords())
    await this.#columns.add(logs.slots.flatMap(({ guard, logId }) => guard.newColumns(logId)))
    return true
  }

  /** Since the pass began: events that came after it make the log again (decision 0036). */
  async #isLogRemoved({ mode }: BatchJob, { slots }: BatchLogs): Promise<boolean> {
    if (mode.kind === 'replay') return false
    const tree = await this.#metastore.tree()
    return slots.some(({ logId }) => !tree.logs.has(logId))
  }

  /** Another writer made it meanwhile: a replay would find it, so this pass must, too. */
  async #isRefusedLogThere(logs: BatchLogs): Promise<boolean> {
    if (logs.refused.size === 0) return false
    const { logsByPath, removedLogsByPath } = await this.#metastore.tree()
    return [...logs.refused].some((key) => {
      const record = logsByPath.get(key) ?? removedLogsByPath.get(key)
      return record !== undefined && record.id <= logs.maxLogId
    })
  }

  #encode(
    job: BatchJob,
    walk: Walk,
    rows: RowBuilder,
    logs: BatchLogs,
    keys: ReadonlyMap<string, RequestKey>,
  ): Batch {
    const output = this.#nextOutput()
    rows.events.write(
      output,
      logs.slots.map(({ logId }) => logId),
      logs.slots.map(({ policyId }) => policyId),
    )
    return {
      range: { from: job.from, to: walk.to },
      rows: rows.events.rows,
      events: output.bytes.subarray(0, output.length),
      units: unitsOf(logs.slots),
      counts: rows.counts.counts().map((count) => withLog(count, logs.slots)),
      keys: [...keys.values()].filter(
        ({ offset }) => isBegun(offset, walk.to) && !isBegun(offset, job.from),
      ),
      sequences: walk.sequences,
      stats: rows.stats,
      refusedColumns: refusedColumnsOf(logs.slots),
      fullOfTypes: logs.slots.filter(({ types }) => types.isFull).map(pathOf),
      maxLogId: logs.maxLogId,
      oldestReceivedMs: walk.oldestReceivedMs,
    }
  }

  #nextOutput(): ByteBuffer {
    this.#output = 1 - this.#output
    const output = this.#outputs[this.#output] ?? makeOutput()
    output.reset()
    return output
  }
}

/** A full batch of usual events is 25 to 40 MB: given back each time, growing to it anew was a
 *  tenth of the writer's work. */
function makeOutput(): ByteBuffer {
  return new ByteBuffer(undefined, KEPT_OUTPUT_BYTES)
}

function isReached(at: Cursor, to: Cursor | undefined): boolean {
  if (to === undefined) return false
  return at.offset > to.offset || (at.offset === to.offset && to.index === 0)
}

/** Events of the block that belong to a range up to `to`. */
function endInBlock(offset: number, to: Cursor | undefined): number {
  if (to === undefined || offset < to.offset) return Number.POSITIVE_INFINITY
  return offset === to.offset ? to.index : 0
}

function isBegun(offset: number, to: Cursor): boolean {
  return offset < to.offset || (offset === to.offset && to.index > 0)
}

/** A block that is in the event log twice is stored once (decision 0003): its sequence is not above
 *  the last one of that listener. */
function withoutStored(
  blocks: readonly DecodedBlock[],
  sequences: Sequences,
): { fresh: DecodedBlock[]; copied: number } {
  const seen = new Map(sequences)
  const fresh: DecodedBlock[] = []
  let copied = 0
  for (const decoded of blocks) {
    const { block } = decoded
    if (block !== undefined) {
      if (block.sequence <= (seen.get(block.listener) ?? 0)) {
        for (const { ranges, rejections } of block.requests) {
          copied += ranges.length / 2 + rejections.length
        }
        continue
      }
      seen.set(block.listener, block.sequence)
    }
    fresh.push(decoded)
  }
  return { fresh, copied }
}

function unitsOf(slots: readonly LogSlot[]): Unit[] {
  const units = new Map<string, Unit>()
  for (const { policyId, days } of slots) {
    for (const { day, rows } of days) {
      const key = `${policyId} ${day}`
      units.set(key, { policyId, day, rows: (units.get(key)?.rows ?? 0) + rows })
    }
  }
  return [...units.values()]
}

function refusedColumnsOf(slots: readonly LogSlot[]): Map<string, number> {
  const refused = new Map<string, number>()
  for (const { folder, name, guard } of slots)
    if (guard.refusals > 0) refused.set(pathOf({ folder, name }), guard.refusals)
  return refused
}

function pathOf({ folder, name }: Pick<LogSlot, 'folder' | 'name'>): string {
  return logPathKey(folder, name)
}

function withLog({ slot, ...count }: Count, slots: readonly LogSlot[]): LogCount {
  const log = slots[slot]
  return { ...count, logId: log?.logId ?? 0, policyId: log?.policyId ?? 0 }
}
