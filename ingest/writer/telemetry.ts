// What the writer counts. Events since the start of the process: received by the listener = stored
// + rejected + repeated + dropped + what still lies in the event log (logeye_writer_lag_blocks);
// where the end of an append is unknown, up to `undecided` of the listener more, where that of a
// commit is, up to logeye_writer_undecided_events_total less.
import type { Clock } from '../../infra/clock.ts'
import type { EventLog } from '../../infra/event-log/port.ts'
import type { Logger } from '../../infra/logger.ts'
import type { Metrics } from '../../infra/metrics.ts'
import type { Batch } from './batch/batch.ts'
import type { TemplateUse } from './batch/row-builder.ts'
import { readUnstoredAge } from './watch/unstored-age.ts'

const HOUR_MS = 3_600_000
/** An engine that comes back sooner is a hiccup. */
const STUCK_MS = 5000
const MAX_WARNED_LOGS = 1000
const ROW_BUCKETS = [1, 10, 100, 1000, 5000, 10_000, 25_000, 50_000, 100_000, 250_000]

export class WriterTelemetry {
  readonly #partition: string
  readonly #clock: Clock
  readonly #metrics: ReturnType<typeof declareMetrics>
  readonly #logger: Logger
  /** Whether the store answered the last batch, and whether it was there when last asked. */
  #hasAnswered = true
  #isThere = true
  /** What fails again and again, and since when. */
  #trying: { readonly phrase: string; readonly sinceMs: number } | undefined
  #overflowWarnedMs = Number.NEGATIVE_INFINITY
  readonly #columnsWarnedMs = new Map<string, number>()
  readonly #templatesWarnedMs = new Map<string, number>()
  readonly #typesWarnedMs = new Map<string, number>()

  constructor(options: { metrics: Metrics; partition: number; clock: Clock; logger: Logger }) {
    this.#partition = String(options.partition)
    this.#clock = options.clock
    this.#logger = options.logger
    this.#metrics = declareMetrics(options.metrics)
    this.owned()
  }

  /** The partition came to this process: what was said of it before is over. */
  owned(): void {
    this.alarm(false)
    this.storeAnswers(true)
  }

  get isStoreThere(): boolean {
    return this.#hasAnswered && this.#isThere
  }

  /** What has failed for long enough that somebody should know. */
  get stuckAt(): string | undefined {
    if (this.#trying === undefined) return undefined
    const { phrase, sinceMs } = this.#trying
    return this.#clock.elapsedMs() - sinceMs < STUCK_MS ? undefined : phrase
  }

  /** Undefined: nothing any more. */
  tries(phrase: string | undefined): void {
    if (phrase === undefined) this.#trying = undefined
    else this.#trying ??= { phrase, sinceMs: this.#clock.elapsedMs() }
  }

  /** The three inserts of a batch were answered. */
  inserted(rows: number, durationMs: number): void {
    this.#metrics.batches.inc()
    this.#metrics.rows.observe(rows)
    this.#metrics.insertSeconds.observe(durationMs / 1000)
  }

  committed({ stats, oldestReceivedMs, refusedColumns, fullOfTypes }: Batch): void {
    for (const kind of ['stored', 'rejected', 'repeated', 'dropped', 'copied'] as const) {
      if (stats[kind] > 0) this.#metrics.events.inc(stats[kind], { outcome: kind })
    }
    if (stats.overflowed > 0) this.#warnOfOverflow(stats.overflowed)
    for (const [template, use] of stats.templates) this.#countTemplate(template, use)
    for (const [log, values] of refusedColumns) this.#warnOfColumns(log, values)
    for (const log of fullOfTypes) this.#warnOfTypes(log)
    if (stats.damaged.length > 0) this.#damaged(stats.damaged)
    const lagMs = this.#clock.nowMs() - oldestReceivedMs
    if (Number.isFinite(lagMs)) this.#metrics.searchableSeconds.observe(Math.max(0, lagMs) / 1000)
  }

  /** The writer was stopped, or lost the partition, before its commit was answered. Who goes on
   *  counts these events, unless it was done. */
  undecided({ stats }: Batch): void {
    const events = stats.stored + stats.rejected + stats.repeated + stats.dropped
    if (events > 0) this.#metrics.undecided.inc(events)
  }

  #damaged(offsets: readonly number[]): void {
    this.#metrics.damagedBlocks.inc(offsets.length)
    this.#logger.error(
      'damaged blocks of the event log, their bytes are kept in System->rejected',
      {
        partition: Number(this.#partition),
        blocks: offsets.length,
        firstOffset: offsets[0],
      },
    )
  }

  /** Decision 3.9: counted; a warning once an hour for each template. */
  #countTemplate(template: string, { fitting, others }: TemplateUse): void {
    const { templates } = this.#metrics
    if (fitting > 0) templates.inc(fitting, { template, outcome: 'fitting' })
    if (others === 0) return
    templates.inc(others, { template, outcome: 'others' })
    if (this.#isToldLately(this.#templatesWarnedMs, template)) return
    this.#logger.warn('no pattern of a template fits some messages, they get no columns of it', {
      template,
      events: others,
    })
  }

  /** Decision 3.5: a warning, once an hour. */
  #warnOfOverflow(events: number): void {
    this.#metrics.overflow.inc(events)
    const nowMs = this.#clock.nowMs()
    if (nowMs - this.#overflowWarnedMs < HOUR_MS) return
    this.#overflowWarnedMs = nowMs
    this.#logger.warn('events go to an overflow log, an account has too many logs', { events })
  }

  /** Decision 3.5: a warning, once an hour for each log. */
  #warnOfColumns(log: string, values: number): void {
    this.#metrics.refusedColumns.inc(values)
    if (this.#isToldLately(this.#columnsWarnedMs, log)) return
    this.#logger.warn('a log has too many columns, new names stay searchable as text', {
      log,
      values,
    })
  }

  /** Decision 3.9: a warning, once an hour for each log. */
  #warnOfTypes(log: string): void {
    if (this.#isToldLately(this.#typesWarnedMs, log)) return
    const phrase = 'a log has too many words of types, type.<word> does not find it by others'
    this.#logger.warn(phrase, { log })
  }

  /** Of what is said once an hour; notes that it is said now. */
  #isToldLately(warnedMs: Map<string, number>, name: string): boolean {
    const nowMs = this.#clock.nowMs()
    if (nowMs - (warnedMs.get(name) ?? Number.NEGATIVE_INFINITY) < HOUR_MS) return true
    if (warnedMs.size >= MAX_WARNED_LOGS) warnedMs.clear()
    warnedMs.set(name, nowMs)
    return false
  }

  /** The store refused a batch for its data, or has not the memory: it is halved. */
  refused(): void {
    this.#metrics.refusals.inc()
  }

  /** To a batch. */
  storeAnswers(hasAnswered: boolean): void {
    this.#hasAnswered = hasAnswered
    this.#showStore()
  }

  /** To the question that is put each second. */
  storeIsThere(isThere: boolean): void {
    this.#isThere = isThere
    this.#showStore()
  }

  #showStore(): void {
    this.#metrics.storeUp.set(this.isStoreThere ? 1 : 0, { partition: this.#partition })
  }

  /** The partition is stopped: to go on could lose or double events. */
  alarm(isRaised: boolean): void {
    this.#metrics.alarm.set(isRaised ? 1 : 0, { partition: this.#partition })
  }

  /** Reads the lag whenever metrics are read; 0 where another process owns the partition, which
   *  says it. */
  watchLag(
    metrics: Metrics,
    eventLog: Pick<EventLog, 'status' | 'read'>,
    isOwned: () => boolean,
  ): void {
    const labels = { partition: this.#partition }
    const number = Number(this.#partition)
    const clock = this.#clock
    metrics.onRead(async () => {
      if (!isOwned()) {
        this.#metrics.lagBlocks.set(0, labels)
        this.#metrics.lagBytes.set(0, labels)
        this.#metrics.oldestSeconds.set(0, labels)
        return
      }
      try {
        const status = await eventLog.status(number)
        this.#metrics.lagBlocks.set(status.blocks, labels)
        this.#metrics.lagBytes.set(status.bytes, labels)
        const seconds =
          status.blocks === 0
            ? 0
            : await readUnstoredAge(eventLog, number, status.next, clock.nowMs())
        if (seconds !== undefined) this.#metrics.oldestSeconds.set(seconds, labels)
      } catch {
        // The last values stay: metrics must be readable while the event log is away.
      }
    })
  }
}

function declareMetrics(metrics: Metrics) {
  return {
    events: metrics.counter(
      'logeye_writer_events_total',
      'Events taken from the event log: stored, rejected (kept in System->rejected), repeated (left out), dropped (by a drop rule or sampling of the account) or copied (the event log has them twice, left out)',
      ['outcome'],
    ),
    templates: metrics.counter(
      'logeye_writer_template_events_total',
      'Stored events to which a template was applied: fitting, or others, which no pattern of it fits',
      ['template', 'outcome'],
    ),
    undecided: metrics.counter(
      'logeye_writer_undecided_events_total',
      'Events that may be missing from logeye_writer_events_total: the end of their commit is unknown',
    ),
    batches: metrics.counter('logeye_writer_batches_total', 'Batches brought into the store'),
    rows: metrics.histogram('logeye_writer_batch_rows', 'Rows of a batch', [], ROW_BUCKETS),
    insertSeconds: metrics.histogram(
      'logeye_writer_insert_seconds',
      'Time of the inserts of a batch',
    ),
    searchableSeconds: metrics.histogram(
      'logeye_writer_searchable_seconds',
      'From receipt of the oldest event of a batch until the batch is searchable',
    ),
    refusals: metrics.counter(
      'logeye_writer_refused_batches_total',
      'Batches that were halved because the store refused their data or lacked memory',
    ),
    damagedBlocks: metrics.counter(
      'logeye_writer_damaged_blocks_total',
      'Blocks of the event log that failed their checksum or cannot be read; their bytes are in System->rejected',
    ),
    overflow: metrics.counter(
      'logeye_writer_overflow_events_total',
      'Events stored in an overflow log because their account has too many logs',
    ),
    refusedColumns: metrics.counter(
      'logeye_writer_refused_columns_total',
      'Values that became no column because their log has reached its limit of names; they stay searchable as text',
    ),
    storeUp: metrics.gauge(
      'logeye_writer_store_up',
      '0 while inserts or look-ups fail, or the store does not answer within a second',
      ['partition'],
    ),
    alarm: metrics.gauge(
      'logeye_writer_stopped',
      '1 when a partition is stopped because going on could lose or double events; the log says why',
      ['partition'],
    ),
    lagBlocks: metrics.gauge('logeye_writer_lag_blocks', 'Blocks not yet stored', ['partition']),
    oldestSeconds: metrics.gauge(
      'logeye_writer_oldest_unstored_seconds',
      'Age of the oldest event that is not stored, from its receipt; 0 when none waits',
      ['partition'],
    ),
    lagBytes: metrics.gauge('logeye_writer_lag_bytes', 'Bytes not yet stored', ['partition']),
  }
}
