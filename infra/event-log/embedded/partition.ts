// A partition of the embedded log, in whichever environment it goes on (generations.ts). Each
// operation looks inside of its own transaction whether the environment is sealed, and begins again
// in the successor.
import { Failure, isFailure } from '../../../schemas/failures.ts'
import { asBuffer } from '../../as-buffer.ts'
import { readDiskSpaceSync } from '../../disk-space.ts'
import type { LoggedBlock, PartitionStatus, Position } from '../port.ts'
import { type Environment, isNoSpace } from './environment.ts'
import {
  hasSuccessor,
  numberOf,
  openCurrent,
  type PartitionPlace,
  publishSuccessor,
  removeOlder,
  sealEnvironment,
} from './generations.ts'

/** Space of a file beyond its content; more is given back. */
const MAX_SPARE_BYTES = 48 * 1024 * 1024
/** What may be copied while senders wait. */
const MAX_COPIED_BYTES = 8 * 1024 * 1024
const MAX_TRIES = 20

const SEALED = Symbol('sealed')

export class EmbeddedPartition {
  readonly #place: PartitionPlace
  #environment: Environment
  #following: Promise<void> | undefined
  /** Bytes of the blocks that were read and are not yet removed, so that removing them reads none
   *  again. */
  readonly #lengths = new Map<number, number>()
  #sparedLooks = 0

  static async open(place: PartitionPlace): Promise<EmbeddedPartition> {
    return new EmbeddedPartition(place, await openCurrent(place))
  }

  private constructor(place: PartitionPlace, environment: Environment) {
    this.#place = place
    this.#environment = environment
  }

  async append(bytes: Uint8Array): Promise<number> {
    const { maxBytes } = this.#place
    return await this.#changed((environment) => {
      const { state } = environment
      if (state.isSealed) return SEALED
      if (state.bytes + bytes.length > maxBytes) throw new Failure('event_log.full')
      void environment.database.put(state.end, asBuffer(bytes))
      environment.putState({ ...state, end: state.end + 1, bytes: state.bytes + bytes.length })
      return state.end
    })
  }

  async read(from: number, maxBytes: number): Promise<LoggedBlock[]> {
    const blocks = await this.#seen((environment) => readBlocks(environment, from, maxBytes))
    for (const { offset, bytes } of blocks) this.#lengths.set(offset, bytes.length)
    return blocks
  }

  /** The exact one holds LMDB's lock, as a change does: it is for what happens rarely. */
  async position(isExact: boolean): Promise<Position> {
    if (!isExact) return await this.#seen(({ position }) => position)
    return await this.#changed(({ state, position }) => (state.isSealed ? SEALED : position))
  }

  async savePosition(position: Position): Promise<void> {
    const lengths = this.#lengths
    await this.#changed((environment) => {
      const { state, database } = environment
      if (state.isSealed) return SEALED
      if (position.next < environment.position.next) throw new Error('a position may not fall')
      let freed = 0
      for (const key of database.getKeys({ end: position.next })) {
        const known = typeof key === 'number' ? lengths.get(key) : undefined
        freed += known ?? database.get(key)?.length ?? 0
        void database.remove(key)
      }
      const end = Math.max(state.end, position.next)
      if (freed > 0 || end !== state.end)
        environment.putState({ ...state, end, bytes: state.bytes - freed })
      environment.putPosition(position)
      return undefined
    })
    for (const offset of lengths.keys()) if (offset < position.next) lengths.delete(offset)
  }

  async status(): Promise<PartitionStatus> {
    return await this.#seen(({ state, position: { next } }) => ({
      end: state.end,
      next,
      blocks: state.end - next,
      bytes: state.bytes,
    }))
  }

  /** Goes on in a smaller file when this one was large and nearly empty at two looks, one after the
   *  other: under load it fills again. */
  async giveSpaceBack(): Promise<void> {
    const { state, fileBytes } = await this.#seen((environment) => ({
      state: environment.state,
      fileBytes: environment.fileBytes,
    }))
    const isWorthIt = fileBytes - state.bytes > MAX_SPARE_BYTES && state.bytes <= MAX_COPIED_BYTES
    this.#sparedLooks = isWorthIt ? this.#sparedLooks + 1 : 0
    if (this.#sparedLooks < 2) return
    this.#sparedLooks = 0
    // A full disk must not be met between seal and successor: the old file may have room yet.
    const { freeBytes } = readDiskSpaceSync(this.#place.directory)
    if (freeBytes < 2 * MAX_COPIED_BYTES) return
    const environment = this.#environment
    const seal = () => sealEnvironment(environment, MAX_COPIED_BYTES)
    if (!(await environment.using(seal))) return
    await this.#follow(environment)
    await removeOlder(this.#place)
  }

  freeDeadReaders(): void {
    this.#environment.database.readerCheck()
  }

  async close(): Promise<void> {
    await this.#following?.catch(() => undefined)
    await this.#environment.retire()
  }

  /** One durable change. What is answered lies in files that are where they are looked for. */
  async #changed<T>(change: (environment: Environment) => T | typeof SEALED): Promise<T> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const environment = this.#environment
      const done = await environment
        .using(() => environment.write(() => change(environment)))
        .catch(async (error: unknown): Promise<typeof SEALED> => {
          if (environment.isThere || !(await this.#isOver(environment))) throw error
          return SEALED
        })
      if (done === SEALED) {
        await this.#follow(environment)
        continue
      }
      await this.#checkThere(environment)
      return done
    }
    throw new Failure('event_log.unavailable')
  }

  async #seen<T>(look: (environment: Environment) => T): Promise<T> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const environment = this.#environment
      environment.refresh()
      if (!environment.state.isSealed) {
        if (environment.isThere) return look(environment)
        if (!(await this.#isOver(environment))) throw gone(environment)
      }
      await this.#follow(environment)
    }
    throw new Failure('event_log.unavailable')
  }

  /** A file that is gone may have been given back meanwhile: then its successor holds, or the store
   *  has, what it held. */
  async #checkThere(environment: Environment): Promise<void> {
    if (environment.isThere) return
    if (!(await this.#isOver(environment))) throw gone(environment)
    await this.#follow(environment)
    if (!this.#environment.isThere) throw gone(this.#environment)
  }

  async #isOver(environment: Environment): Promise<boolean> {
    const place = this.#place
    return await hasSuccessor(place, numberOf(place, environment)).catch(() => false)
  }

  async #follow(sealed: Environment): Promise<void> {
    if (this.#environment !== sealed) return
    this.#following ??= this.#openNext(sealed).finally(() => {
      this.#following = undefined
    })
    await this.#following
  }

  async #openNext(sealed: Environment): Promise<void> {
    const number = numberOf(this.#place, sealed)
    try {
      if (sealed.isThere) await publishSuccessor(this.#place, sealed, number)
      this.#environment = await openCurrent(this.#place, number + 1)
    } catch (error) {
      if (isFailure(error)) throw error
      if (!sealed.isThere) throw gone(sealed, error)
      throw new Failure(isNoSpace(error) ? 'event_log.full' : 'event_log.unavailable', {}, error)
    }
    await sealed.retire()
  }
}

/** Fails with event_log.damaged when one is missing: passed over it would be lost unseen. */
function readBlocks(environment: Environment, from: number, maxBytes: number): LoggedBlock[] {
  const { database, state } = environment
  const blocks: LoggedBlock[] = []
  if (state.end <= from) return blocks
  let bytes = 0
  let expected = Math.max(from, environment.position.next)
  for (const { key, value } of database.getRange({ start: from, end: Number.MAX_SAFE_INTEGER })) {
    if (typeof key !== 'number') break
    if (key !== expected) throw missing(environment, expected)
    expected += 1
    // The range hands out copies: 'binary' values are never slices of the map.
    blocks.push({ offset: key, bytes: value })
    bytes += value.length
    if (bytes >= maxBytes) break
  }
  if (blocks.length === 0 && expected < state.end) throw missing(environment, expected)
  return blocks
}

function missing({ path }: Environment, offset: number): Failure {
  return new Failure('event_log.damaged', { reason: `${path}: the block ${offset} is missing` })
}

function gone({ path }: Environment, cause?: unknown): Failure {
  return new Failure('event_log.gone', { path }, cause)
}
