// Turns the requests of decoded blocks into rows, synchronously and as a pure function of the
// blocks, the account versions, the logs and the limits given: no clock, no randomness (decision
// 0007). Stops before the event that would break a limit.
import { asBuffer } from '../../../infra/as-buffer.ts'
import {
  type Block,
  type BlockRequest,
  LOGGER_FORM,
  type Rejection,
} from '../../../schemas/block/schema.ts'
import type { ListenerAccount } from '../../../schemas/listener-account.ts'
import { REJECTED_LOG } from '../../../schemas/names/log-path.ts'
import { ownLogOfAccount } from '../../audit/audit-form.ts'
import { lineEnd } from '../../split/line-span.ts'
import { splitRejected } from '../../split/rejected.ts'
import { makeSplitEvent } from '../../split/split-event.ts'
import { CountSums } from '../counts/count-sums.ts'
import type { EventBlock, RowPlace } from '../native/event-block.ts'
import type { Shaper } from '../shaping/shaper.ts'
import type { BatchLogs, FoundLog, LogSlot } from './batch-logs.ts'
import { type EventSplitter, sourceOf } from './event-splitter.ts'

const DAY_MS = 86_400_000
/** A damaged block goes to `System->rejected` whole, in events of so many bytes: how many it held
 *  nobody knows any more. */
const UNREADABLE_EVENT_BYTES = 1024 * 1024

export type RowLimits = {
  readonly maxRows: number
  /** Bytes of events. */
  readonly maxBytes: number
  /** Policies x days of receipt; the engine takes at most 100 table partitions an insert. */
  readonly maxUnits: number
  /** Paths x rows of the JSON column. */
  readonly maxCells: number
  /** Bytes of names of columns: EventBlock.nameBytes. */
  readonly maxNameBytes: number
}

/** Which rows of the range are wanted, by unit; undefined: all. */
export type UnitFilter = (policyId: number, day: number) => boolean

export type RowStats = {
  stored: number
  rejected: number
  repeated: number
  /** Not stored, as its account wants it. */
  dropped: number
  /** Events of blocks that the event log holds twice. What became of them is counted with the
   *  first block. */
  copied: number
  /** Among the stored events: those in an overflow log. */
  overflowed: number
  /** Among the stored events: those to which a template was applied, by its name. */
  readonly templates: Map<string, TemplateUse>
  /** Offsets of damaged blocks, whose bytes are kept as rejected events. */
  readonly damaged: number[]
}

/** Events that a pattern fits, and that none does. */
export type TemplateUse = { fitting: number; others: number }

export type ReadBlock = {
  readonly offset: number
  /** undefined: the bytes are no block. */
  readonly block: Block | undefined
  readonly bytes: Uint8Array
  /** By request: the account version that it met, `unknown` for one that the database lacks, or
   *  `repeat` for one that is stored already (decision 2.7). */
  readonly accounts: readonly RequestAccount[]
}

export type RequestAccount = ListenerAccount | 'unknown' | 'repeat'

export class RowBuilder {
  readonly events: EventBlock
  readonly counts = new CountSums()
  readonly stats: RowStats = {
    stored: 0,
    rejected: 0,
    repeated: 0,
    dropped: 0,
    copied: 0,
    overflowed: 0,
    templates: new Map(),
    damaged: [],
  }
  bytes = 0
  readonly #splitter: EventSplitter
  readonly #shaper: Shaper | undefined
  readonly #logs: BatchLogs
  readonly #limits: RowLimits
  readonly #filter: UnitFilter | undefined
  readonly #isDead: boolean
  readonly #unreadableMs: number
  readonly #units = new Set<string>()
  readonly #event = makeSplitEvent()
  readonly #place: RowPlace & { isLine: boolean; position: number }
  /** The form of the request at hand, as System->rejected keeps it. */
  #rejectedForm = ''

  constructor(options: {
    /** Reused from batch to batch; reset here. */
    events: EventBlock
    splitter: EventSplitter
    /** Left out: everything is stored. */
    shaper?: Shaper | undefined
    logs: BatchLogs
    limits: RowLimits
    partition: number
    filter?: UnitFilter | undefined
    /** The store refused these events: every one becomes a rejected row. */
    isDead: boolean
    /** Stands for the time of receipt of a block that cannot be read. */
    unreadableMs: number
  }) {
    this.events = options.events
    this.events.reset()
    this.#splitter = options.splitter
    this.#shaper = options.shaper
    this.#logs = options.logs
    this.#limits = options.limits
    this.#filter = options.filter
    this.#isDead = options.isDead
    this.#unreadableMs = options.unreadableMs
    this.#place = {
      slot: 0,
      admitColumn: () => true,
      intendedPath: '',
      receivedMs: 0,
      source: '',
      partition: options.partition,
      offset: 0,
      index: 0,
      body: Buffer.alloc(0),
      start: 0,
      end: 0,
      isLine: false,
      position: 0,
    }
  }

  /** Rows of the events `from` to `to` of the block; gives the index where a limit stopped it, else
   *  undefined. */
  append(read: ReadBlock, from: number, to: number): number | undefined {
    this.#place.offset = read.offset
    if (read.block === undefined) return this.#appendUnreadable(read, from, to)
    let base = 0
    for (const [position, request] of read.block.requests.entries()) {
      const events = request.ranges.length / 2 + request.rejections.length
      if (base + events > from && base < to) {
        const account = read.accounts[position]
        if (account === undefined || account === 'repeat') {
          this.stats.repeated += Math.min(to, base + events) - Math.max(from, base)
        } else {
          const stop = this.#appendRequest(account, request, base, from, to)
          if (stop !== undefined) return stop
        }
      }
      base += events
    }
    return undefined
  }

  #appendRequest(
    account: ListenerAccount | 'unknown',
    request: BlockRequest,
    base: number,
    from: number,
    to: number,
  ): number | undefined {
    const { ranges, rejections } = request
    const count = ranges.length / 2 + rejections.length
    this.#place.receivedMs = request.receivedMs
    this.#place.source = nameOf(account)
    this.#place.body = asBuffer(request.body)
    this.#rejectedForm = this.#formOf(request)
    let good = 0
    let bad = 0
    for (let i = 0; i < count; i += 1) {
      const rejection = rejections[bad]
      const isBad = rejection !== undefined && (rejection.index <= i || good * 2 >= ranges.length)
      const index = base + i
      if (isBad) bad += 1
      else good += 1
      if (index < from) continue
      if (index >= to) return undefined
      this.#place.index = index
      const isAppended = isBad
        ? this.#appendRejection(account, request, rejection)
        : this.#appendEvent(account, request, good - 1)
      if (!isAppended) return index
    }
    return undefined
  }

  #formOf({ form, ranges }: BlockRequest): string {
    if (form !== LOGGER_FORM) return form
    // A request without an accepted event makes no block.
    const isOfLines = lineEnd(this.#place.body, ranges[0] ?? 0, ranges[1] ?? 0) !== undefined
    return isOfLines ? 'lines' : ''
  }

  #appendEvent(
    account: ListenerAccount | 'unknown',
    request: BlockRequest,
    position: number,
  ): boolean {
    const place = this.#place
    const { ranges, origins } = request
    const start = ranges[position * 2] ?? 0
    const rangeEnd = ranges[position * 2 + 1] ?? 0
    const line = lineEnd(place.body, start, rangeEnd)
    const end = line ?? rangeEnd
    if (this.#isDead) return this.#appendRejected(account, request, start, end, 'store_refused')
    if (account === 'unknown') {
      return this.#appendRejected(account, request, start, end, 'unknown_account')
    }
    try {
      place.start = start
      place.end = end
      place.isLine = line !== undefined
      place.position = position
      if (origins !== undefined) place.source = sourceOf(origins, position) || nameOf(account)
      this.#splitter.split(account, request, place, this.#event)
    } catch {
      // A bug in the splitter must not stop the partition; the event is kept with its bytes.
      return this.#appendRejected(account, request, start, end, 'internal')
    }
    if (this.#shaper?.isDropped(account, place, this.#event)) {
      // A batch without rows must end, too: only then the event log is rid of them.
      if (this.stats.dropped >= this.#limits.maxRows) return false
      this.stats.dropped += 1
      return true
    }
    const { log, intendedPath } = this.#findLog(account, request.receivedMs)
    this.#place.intendedPath = intendedPath
    const isAppended = this.#appendRow(log)
    if (!isAppended) return false
    this.stats.stored += 1
    if (intendedPath !== '') this.stats.overflowed += 1
    if (this.#event.template !== '') this.#countTemplate()
    return true
  }

  #findLog(account: ListenerAccount, receivedMs: number): FoundLog {
    const own = ownLogOfAccount(account)
    if (own !== undefined) return { log: this.#logs.own(own, receivedMs), intendedPath: '' }
    return this.#logs.find(account, this.#event, receivedMs)
  }

  #countTemplate(): void {
    const { template, pattern } = this.#event
    const { templates } = this.stats
    let use = templates.get(template)
    if (use === undefined) {
      use = { fitting: 0, others: 0 }
      templates.set(template, use)
    }
    if (pattern > 0) use.fitting += 1
    else use.others += 1
  }

  #appendRejection(
    account: ListenerAccount | 'unknown',
    request: BlockRequest,
    rejection: Rejection,
  ): boolean {
    const { start, end, code } = rejection
    return this.#appendRejected(account, request, start, end, code)
  }

  #appendRejected(
    account: ListenerAccount | 'unknown',
    request: Pick<BlockRequest, 'hostName' | 'peer' | 'receivedMs'>,
    start: number,
    end: number,
    reason: string,
  ): boolean {
    const { hostName, peer, receivedMs } = request
    const place = this.#place
    place.start = start
    place.end = end
    place.intendedPath = ''
    const accountName = nameOf(account)
    place.source = accountName
    const { body } = place
    splitRejected(this.#event, {
      body,
      start,
      end,
      reason,
      form: this.#rejectedForm,
      accountName,
      receivedMs,
      hostName,
      peer,
    })
    const isAppended = this.#appendRow(this.#logs.own(REJECTED_LOG, receivedMs))
    if (isAppended) this.stats.rejected += 1
    return isAppended
  }

  #appendUnreadable(read: ReadBlock, from: number, to: number): number | undefined {
    const receivedMs = this.#unreadableMs
    this.#rejectedForm = ''
    this.#place.receivedMs = receivedMs
    this.#place.source = ''
    this.#place.body = asBuffer(read.bytes)
    const request = { hostName: '', peer: '', receivedMs }
    const { length } = read.bytes
    const count = Math.max(1, Math.ceil(length / UNREADABLE_EVENT_BYTES))
    for (let index = from; index < Math.min(count, to); index += 1) {
      this.#place.index = index
      const start = index * UNREADABLE_EVENT_BYTES
      const end = Math.min(length, start + UNREADABLE_EVENT_BYTES)
      if (!this.#appendRejected('unknown', request, start, end, 'unreadable_block')) return index
      if (index === 0) this.stats.damaged.push(read.offset)
    }
    return undefined
  }

  /** False: the row would break a limit; nothing was changed. */
  #appendRow(log: LogSlot): boolean {
    const place = this.#place
    const { start, end } = place
    const day = Math.floor(place.receivedMs / DAY_MS)
    if (this.#filter !== undefined && !this.#filter(log.policyId, day)) return true
    if (!this.#hasRoom(end - start)) return false
    let rows = log.days[log.days.length - 1]
    if (rows === undefined || rows.day !== day) {
      rows = log.days.find((known) => known.day === day)
      if (rows === undefined) {
        if (!this.#addUnit(log.policyId, day)) return false
        rows = { day, rows: 0 }
        log.days.push(rows)
      }
    }
    rows.rows += 1
    place.slot = log.slot
    place.admitColumn = log.admitColumn
    const hostIndex = this.events.append(this.#event, place)
    this.bytes += end - start
    this.counts.add(log.slot, place, this.#event, hostIndex)
    return true
  }

  #hasRoom(bytes: number): boolean {
    const { maxRows, maxBytes, maxCells, maxNameBytes } = this.#limits
    const { rows, cells, nameBytes } = this.events
    if (rows === 0) return true
    if (cells >= maxCells || nameBytes >= maxNameBytes) return false
    return rows < maxRows && this.bytes + bytes <= maxBytes
  }

  #addUnit(policyId: number, day: number): boolean {
    const key = `${policyId} ${day}`
    if (this.#units.has(key)) return true
    if (this.#units.size >= this.#limits.maxUnits) return false
    this.#units.add(key)
    return true
  }
}

function nameOf(account: ListenerAccount | 'unknown'): string {
  return account === 'unknown' ? '' : account.name
}
