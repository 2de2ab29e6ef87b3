// Reads logged blocks for the writer: decodes them, drops those that the event log holds twice
// (decision 0003), finds the account version of each request and the requests that repeat a stored
// one (decision 2.7).
import type { EventLog, LoggedBlock } from '../../infra/event-log/port.ts'
import type { ListenerAccounts } from '../../infra/metastore/accounts/port.ts'
import { decodeBlock } from '../../schemas/block/codec.ts'
import type { Block, BlockRequest, EventOrigins } from '../../schemas/block/schema.ts'
import { Failure, isFailure } from '../../schemas/failures.ts'
import type { ListenerAccount } from '../../schemas/listener-account.ts'
import { ownAccountOfForm } from '../audit/audit-form.ts'
import { EVENT_FORMS } from '../listener/inputs/event-forms.ts'
import type { ReadBlock, RequestAccount } from './batch/row-builder.ts'
import { identifyRequest, isRepeat, type RequestKey } from './keys/idempotency-window.ts'

/** Blocks whose rows are made in one go; other work of the process runs between. */
const READ_BYTES = 2 * 1024 * 1024

/** Requests stored before: in memory and in the store. */
export interface StoredKeys {
  find(identities: readonly string[]): Promise<ReadonlyMap<string, readonly RequestKey[]>>
}

export class BlockReader {
  readonly #eventLog: Pick<EventLog, 'read'>
  readonly #metastore: Pick<ListenerAccounts, 'accountVersion'>
  readonly #partition: number

  constructor(options: {
    eventLog: Pick<EventLog, 'read'>
    metastore: Pick<ListenerAccounts, 'accountVersion'>
    partition: number
  }) {
    this.#eventLog = options.eventLog
    this.#metastore = options.metastore
    this.#partition = options.partition
  }

  /** Blocks from `offset` on, before the first of a later version; [] when none came within
   *  `waitMs`. Fails with event_log.later_block when such a block stands at `offset`: an older
   *  program must not pass it. */
  async read(offset: number, waitMs: number, signal: AbortSignal): Promise<DecodedBlock[]> {
    const options = { maxBytes: READ_BYTES, waitMs, signal }
    const decoded: DecodedBlock[] = []
    for (const logged of await this.#eventLog.read(this.#partition, offset, options)) {
      try {
        decoded.push(decode(logged))
      } catch (error) {
        if (decoded.length === 0) throw error
        break
      }
    }
    return decoded
  }

  /** `keys` holds the keyed requests of this batch met so far, and gets the new ones. */
  async resolve(
    blocks: readonly DecodedBlock[],
    keys: Map<string, RequestKey>,
    stored: StoredKeys,
  ): Promise<ReadBlock[]> {
    const keyed = keysOf(blocks)
    const known =
      keyed.size === 0 ? new Map() : await stored.find([...keyed.values()].map(identityOf))
    const read: ReadBlock[] = []
    for (const { offset, block, bytes } of blocks) {
      const accounts: RequestAccount[] = []
      for (const request of block?.requests ?? []) {
        const key = keyed.get(request)
        accounts.push(
          key !== undefined && isRepeated(key, keys, known)
            ? 'repeat'
            : await this.#account(request),
        )
      }
      read.push({ offset, block, bytes, accounts })
    }
    return read
  }

  async #account(request: BlockRequest): Promise<ListenerAccount | 'unknown'> {
    const own = ownAccountOfForm(request.form)
    if (own !== undefined) return own
    try {
      return await this.#metastore.accountVersion(request.accountId, request.accountVersion)
    } catch (error) {
      if (isFailure(error) && error.code === 'object.not_found') return 'unknown'
      throw error
    }
  }
}

/** `block` undefined: the bytes are damaged. */
export type DecodedBlock = LoggedBlock & { readonly block: Block | undefined }

/** Fails with event_log.later_block only. */
function decode(logged: LoggedBlock): DecodedBlock {
  try {
    const block = decodeBlock(logged.bytes)
    const strange = block.requests.find(({ form }) => !EVENT_FORMS.has(form))
    if (strange !== undefined)
      throw new Failure('event_log.later_block', { version: `3 with events ${strange.form}` })
    return { ...logged, block: block.requests.every(isSound) ? block : undefined }
  } catch (error) {
    if (isLaterBlock(error)) throw error
    return { ...logged, block: undefined }
  }
}

export function isLaterBlock(error: unknown): boolean {
  return isFailure(error) && error.code === 'event_log.later_block'
}

/** The listener makes no others; a row built from anything else would hold the wrong bytes. */
function isSound({ body, ranges, rejections, origins }: BlockRequest): boolean {
  if (ranges.length % 2 !== 0) return false
  let before = 0
  for (const bound of ranges) {
    if (bound < before) return false
    before = bound
  }
  if (before > body.length) return false
  if (origins !== undefined && !areOriginsSound(origins, ranges)) return false
  return rejections.every(({ start, end }) => start >= 0 && start <= end && end <= body.length)
}

function areOriginsSound({ places, placeOf, times }: EventOrigins, ranges: Uint32Array): boolean {
  if (placeOf.length * 2 !== ranges.length) return false
  if (times.length !== 0 && times.length !== ranges.length) return false
  return placeOf.every((place) => place < places.length)
}

function keysOf(blocks: readonly DecodedBlock[]): Map<BlockRequest, RequestKey> {
  const keys = new Map<BlockRequest, RequestKey>()
  for (const { offset, block } of blocks) {
    block?.requests.forEach((request, position) => {
      if (request.idempotencyKey === '') return
      const identity = identifyRequest(request)
      keys.set(request, { identity, receivedMs: request.receivedMs, offset, request: position })
    })
  }
  return keys
}

function identityOf({ identity }: RequestKey): string {
  return identity
}

function isRepeated(
  key: RequestKey,
  batch: Map<string, RequestKey>,
  known: ReadonlyMap<string, readonly RequestKey[]>,
): boolean {
  const inBatch = batch.get(key.identity)
  if (isRepeat(key, known.get(key.identity))) return true
  if (isRepeat(key, inBatch === undefined ? [] : [inBatch])) return true
  batch.set(key.identity, key)
  return false
}
