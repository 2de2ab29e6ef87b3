// Appends pieces to the event log, and repeats until it takes them: what is read waits, what is not
// read yet stays in its file.
import type { Clock } from '../../infra/clock.ts'
import type { EventLog } from '../../infra/event-log/port.ts'
import { describeError, type Logger } from '../../infra/logger.ts'
import { encodeBlock } from '../../schemas/block/codec.ts'
import type { BlockRequest } from '../../schemas/block/schema.ts'
import { cutSource } from '../listener/inputs/cut-source.ts'
import { MaskScanner, type Masks } from '../listener/masking/mask-request.ts'
import { FILE_FORM } from './file-form.ts'
import type { Piece } from './log-work.ts'
import { splitRequest } from './split-request.ts'

const TARGET_BLOCK_BYTES = 1024 * 1024
const AGAIN_MS = 1000
const LISTENER_BYTES = 16
const MASKED_AT_ONCE = 1024 * 1024

type Deps = {
  readonly eventLog: Pick<EventLog, 'append' | 'maxBlockBytes'>
  readonly clock: Clock
  readonly logger: Logger
  readonly hostName: string
  /** Of templates: the rules of a log's template hide before anything is durable. */
  readonly masks: Masks
  readonly held: { readonly signal: AbortSignal }
}

type MaskedEvents = Pick<BlockRequest, 'ranges' | 'rejections' | 'origins'>

type Request = { readonly partition: number; readonly request: BlockRequest }

export class Sender {
  readonly #deps: Deps
  readonly #listener: string
  #sequence = 0
  #isFailing = false

  constructor(deps: Deps) {
    this.#deps = deps
    this.#listener = deps.clock.randomBytes(LISTENER_BYTES).toString('hex')
  }

  /** Each has its `pending`. False: told to stop before all are durable. */
  async send(pieces: readonly Piece[]): Promise<boolean> {
    const requests = pieces.flatMap((piece) => this.#requestsOf(piece))
    for (const partition of new Set(requests.map((it) => it.partition))) {
      const own = requests.filter((it) => it.partition === partition)
      for (const block of toBlocks(own)) if (!(await this.#append(partition, block))) return false
    }
    return true
  }

  /** None where none of its events is collected. */
  #requestsOf({ tail, account, cut }: Piece): readonly Request[] {
    const { file } = tail
    const { pending } = file
    const { ranges, rejections } = cut
    if (pending === undefined) throw new Error('a piece is sent that was not noted')
    if (ranges.length === 0 && rejections.length === 0) return []
    const origins = {
      places: [{ host: '', source: cutSource(file.path) }],
      placeOf: new Uint32Array(ranges.length / 2),
      times: new Float64Array(),
    }
    const whole: BlockRequest = {
      ...{ accountId: account.id, accountVersion: account.version },
      ...{ receivedMs: pending.receivedMs, hostName: this.#deps.hostName, peer: '' },
      idempotencyKey: `file-${file.id}-${file.position}-${pending.to}`,
      form: FILE_FORM.name,
      ...this.#masked(account, cut.body, { ranges, rejections, origins }),
    }
    const { partition } = pending
    return splitRequest(whole, this.#deps.eventLog).map((request) => ({ partition, request }))
  }

  #masked(account: Piece['account'], body: Buffer, events: MaskedEvents) {
    const mask = this.#deps.masks.of(account)
    if (mask === undefined) return { body, ...events }
    const scanner = new MaskScanner(mask, body, { kind: 'events', ...events })
    while (!scanner.run(MASKED_AT_ONCE));
    const { ranges, rejections, origins, body: masked } = scanner.result()
    return { body: masked, ranges, rejections, origins }
  }

  async #append(partition: number, requests: readonly BlockRequest[]): Promise<boolean> {
    const { eventLog, clock, logger, held } = this.#deps
    while (!held.signal.aborted) {
      this.#sequence += 1
      const block = { listener: this.#listener, sequence: this.#sequence, requests }
      try {
        await eventLog.append(partition, encodeBlock(block))
        if (this.#isFailing) logger.info('files are read on')
        this.#isFailing = false
        return true
      } catch (error) {
        if (!this.#isFailing) logger.warn('event log takes no more of files', describeError(error))
        this.#isFailing = true
        await clock.sleep(AGAIN_MS, held.signal)
      }
    }
    return false
  }
}

function toBlocks(requests: readonly Request[]): BlockRequest[][] {
  const blocks: BlockRequest[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const { request } of requests) {
    const size = request.body.length + request.ranges.byteLength * 2
    if (bytes + size > TARGET_BLOCK_BYTES) {
      blocks.push([])
      bytes = 0
    }
    blocks.at(-1)?.push(request)
    bytes += size
  }
  return blocks
}
