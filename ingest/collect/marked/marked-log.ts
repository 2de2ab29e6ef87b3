// Events of a source that is no file, on their way into the event log: the block is noted with the
// mark behind it, sent, and then the mark moves (docs/decisions/0123).
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Clock } from '../../../infra/clock.ts'
import type { Fence } from '../../../infra/database/lease.ts'
import type { DatabaseTransaction } from '../../../infra/database/port.ts'
import type { EventLog } from '../../../infra/event-log/port.ts'
import { describeError, type Logger } from '../../../infra/logger.ts'
import {
  type CollectMark,
  type PendingBlock,
  readCollectMark,
  saveCollectMark,
} from '../../../infra/metastore/collect/collect-marks.ts'
import type { OpenedMetastore } from '../../../infra/metastore/open.ts'
import { RemoteFault } from '../../../infra/outbound/remote-fault.ts'
import { encodeBlock } from '../../../schemas/block/codec.ts'
import type { BlockRequest } from '../../../schemas/block/schema.ts'
import type { ListenerAccount } from '../../../schemas/listener-account.ts'
import { partitionOf } from '../../listener/commit/partition.ts'
import { cutSource } from '../../listener/inputs/cut-source.ts'
import { MaskScanner, type Masks } from '../../listener/masking/mask-request.ts'
import { RECORD_FORM } from './record-form.ts'

const AGAIN_MS = 1000
const LISTENER_BYTES = 16
const MASKED_AT_ONCE = 1024 * 1024

export type MarkedEvent = {
  /** One line of JSON, as printRecord makes it. */
  readonly record: string
  readonly host: string
  readonly source: string
  /** Epoch milliseconds, and nanoseconds below them; undefined: that of receipt. */
  readonly time: { readonly ms: number; readonly nanos: number } | undefined
}

export type MarkedLogDeps = {
  readonly metastore: Pick<OpenedMetastore, 'database'>
  readonly eventLog: Pick<EventLog, 'append' | 'partitions' | 'maxBlockBytes'>
  readonly clock: Clock
  readonly logger: Logger
  readonly held: Fence & { readonly signal: AbortSignal }
  /** Of events that name none. */
  readonly hostName: string
  readonly masks: Masks
}

type MarkedSource = {
  readonly logId: number
  readonly place: string
  readonly account: ListenerAccount
  /** Default 0. */
  readonly generation?: number
  /** Whether the mark is still that of its source; default yes. */
  readonly isCurrent?: IsCurrent
}

type IsCurrent = (transaction: DatabaseTransaction) => Promise<boolean>

/** Events that belong to one mark are more than a block of the event log; nothing of them is
 *  noted. */
export class TooLarge extends RemoteFault {}

export class MarkedLog {
  readonly #deps: MarkedLogDeps
  readonly #account: ListenerAccount
  readonly #listener: string
  #state: CollectMark
  #isCurrent: IsCurrent | undefined
  #sequence = 0

  private constructor(deps: MarkedLogDeps, account: ListenerAccount, state: CollectMark) {
    this.#deps = deps
    this.#account = account
    this.#state = state
    this.#listener = deps.clock.randomBytes(LISTENER_BYTES).toString('hex')
  }

  /** What a crash cut off is sent first; the mark of another generation is none. undefined: told
   *  to stop before that. */
  static async open(
    deps: MarkedLogDeps,
    { logId, place, account, generation = 0, isCurrent }: MarkedSource,
  ): Promise<MarkedLog | undefined> {
    const state = await readCollectMark(deps.metastore.database.read, logId, place)
    const log = new MarkedLog(deps, account, state)
    const { pending } = state
    if (pending !== undefined && !(await log.#send(pending))) return undefined
    if (log.#state.generation !== generation) log.#state = { ...log.#state, mark: '', generation }
    log.#isCurrent = isCurrent
    return log
  }

  get mark(): string {
    return this.#state.mark
  }

  get events(): number {
    return this.#state.events
  }

  /** `to`: the mark behind these events. False: told to stop before they are durable. Fails with
   *  TooLarge, and with RemoteFault where the mark is not that of its source any more. */
  async commit(events: readonly MarkedEvent[], to: string): Promise<boolean> {
    if (events.length === 0) {
      await this.#save({ ...this.#state, mark: to })
      return true
    }
    const { eventLog, hostName } = this.#deps
    const partition = partitionOf(this.#account.id, hostName, eventLog.partitions)
    this.#sequence += 1
    const block = encodeBlock({
      ...{ listener: this.#listener, sequence: this.#sequence },
      requests: [this.#requestOf(events)],
    })
    // What was noted is sent until the event log takes it.
    if (block.length > eventLog.maxBlockBytes)
      throw new TooLarge(
        `${events.length} events that go together need ${block.length >> 10} KiB, more than a block of the event log (eventLog.maxBlockBytes)`,
      )
    const pending = { to, partition, events: events.length, block: pack(block) }
    await this.#save({ ...this.#state, pending })
    return await this.#send(pending, block)
  }

  async #send(pending: PendingBlock, block = unpack(pending.block)): Promise<boolean> {
    if (!(await this.#append(pending.partition, block))) return false
    const { pieces, events } = this.#state
    await this.#save({
      ...this.#state,
      ...{ mark: pending.to, pieces: pieces + 1, events: events + pending.events },
      pending: undefined,
    })
    return true
  }

  async #save(state: CollectMark): Promise<void> {
    const { metastore, held, clock } = this.#deps
    const deps = { database: metastore.database, held }
    if (!(await saveCollectMark(deps, state, clock.nowMs(), this.#isCurrent)))
      throw new RemoteFault('it was changed meanwhile: the next run is by what it says now')
    this.#state = state
  }

  #requestOf(events: readonly MarkedEvent[]): BlockRequest {
    const places = new Map<string, { host: string; source: string; at: number }>()
    const placeOf = new Uint32Array(events.length)
    const times = new Float64Array(events.length * 2)
    const ranges = new Uint32Array(events.length * 2)
    const parts: Buffer[] = []
    let length = 0
    for (const [at, { record, host, source, time }] of events.entries()) {
      const bytes = Buffer.from(`${record}\n`, 'utf8')
      parts.push(bytes)
      ranges.set([length, length + bytes.length - 1], at * 2)
      length += bytes.length
      const key = `${host}\0${source}`
      const place = places.get(key) ?? { host, source: cutSource(source), at: places.size }
      places.set(key, place)
      placeOf[at] = place.at
      times.set([time?.ms ?? Number.NaN, time?.nanos ?? 0], at * 2)
    }
    const { logId, place, pieces } = this.#state
    const { id, version } = this.#account
    return {
      ...{ accountId: id, accountVersion: version, receivedMs: this.#deps.clock.nowMs() },
      ...{ hostName: this.#deps.hostName, peer: '', form: RECORD_FORM.name },
      idempotencyKey: `mark-${logId}-${pieces}-${place}`,
      ...this.#masked(Buffer.concat(parts), ranges, {
        places: [...places.values()].map((one) => ({ host: one.host, source: one.source })),
        ...{ placeOf, times },
      }),
    }
  }

  #masked(body: Buffer, ranges: Uint32Array, origins: NonNullable<BlockRequest['origins']>) {
    const events = { ranges, rejections: [], origins }
    const mask = this.#deps.masks.of(this.#account)
    if (mask === undefined) return { body, ...events }
    const scanner = new MaskScanner(mask, body, { kind: 'events', ...events })
    while (!scanner.run(MASKED_AT_ONCE));
    const { kind: _, ...masked } = scanner.result()
    return masked
  }

  async #append(partition: number, block: Buffer): Promise<boolean> {
    const { eventLog, clock, logger, held } = this.#deps
    for (let tries = 0; !held.signal.aborted; tries += 1) {
      try {
        await eventLog.append(partition, block)
        return true
      } catch (error) {
        if (tries === 0) logger.warn('event log takes no copied events', describeError(error))
        await clock.sleep(AGAIN_MS, held.signal)
      }
    }
    return false
  }
}

function pack(block: Buffer): string {
  return gzipSync(block, { level: 1 }).toString('base64')
}

function unpack(text: string): Buffer {
  return gunzipSync(Buffer.from(text, 'base64'))
}
