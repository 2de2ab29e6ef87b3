// One LMDB environment: the blocks of a partition by offset, 'state' and 'position' (records.ts).
// Every change is one transaction, answered after its fdatasync (`overlappingSync: false`; by
// default lmdb-js answers at the commit, before the disk has it).
import { statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { Failure, isFailure } from '../../../schemas/failures.ts'
import { KnownPath } from '../../files/known-path.ts'
import type { Position } from '../port.ts'
import { DATA_FILE, LastCommit } from './last-commit.ts'
import { parsePosition, parseState, printPosition, printState, type State } from './records.ts'

export type Key = number | 'state' | 'position'

const GIB = 1024 ** 3
/** Beyond every offset, before the names. */
export const ALL_BLOCKS = { end: Number.MAX_SAFE_INTEGER }

/** Transactions that may begin at a commit that is not the last one. */
const MAX_TRIES = 50
/** A change that takes longer will not end: the disk, or whoever has LMDB's lock, does not answer.
 *  In steps, so that a process that stood still itself looks again before it gives up. */
const WAIT_STEP_MS = 15_000
const MAX_WAIT_STEPS = 4
const SET_BACK = Symbol('set back')

export class Environment {
  readonly path: string
  readonly database: RootDatabase<Buffer, Key>
  readonly #file: KnownPath
  readonly #lastCommit: LastCommit
  #users = 0
  #isRetired = false
  #onUnused: () => void = () => undefined

  constructor(path: string, maxBytes: number) {
    this.path = path
    this.database = open<Buffer, Key>({
      path,
      encoding: 'binary',
      // Address space, not memory or disk: a removed block's pages are used again only in runs of
      // its length.
      mapSize: 2 * maxBytes + GIB,
      overlappingSync: false,
      cache: false,
      // On, a failed commit also rejects a promise of the batch that nobody can hold (lmdb 3.5): a
      // full disk would end the process.
      eventTurnBatching: false,
      maxReaders: 126,
    })
    try {
      this.#file = new KnownPath(join(path, DATA_FILE))
      this.#lastCommit = new LastCommit(path)
    } catch (error) {
      void this.database.close()
      throw error
    }
  }

  /** False when the file that is open is not the one at its path any more: what is written to it is
   *  lost. */
  get isThere(): boolean {
    return this.#file.isThere
  }

  get fileBytes(): number {
    return statSync(this.#file.path, { throwIfNoEntry: false })?.size ?? 0
  }

  /** As of the last commit that this turn has seen; `refresh` sees a later one. The last one of all
   *  processes for certain is seen only inside of `write`. */
  get state(): State {
    return parseState(this.database.get('state'))
  }

  get position(): Position {
    return parsePosition(this.database.get('position'))
  }

  refresh(): void {
    this.database.resetReadTxn()
  }

  putState(state: State): void {
    void this.database.put('state', printState(state))
  }

  putPosition(position: Position): void {
    void this.database.put('position', printPosition(position))
  }

  /** One durable transaction, in LMDB's own thread: a slow disk, or another process that holds the
   *  write lock, must not hold the event loop. It begins at the last commit of all processes. The
   *  engine's own errors become event_log.full or event_log.unavailable. One that does not end ends
   *  the process: only another one can go on, and nothing of it was acknowledged. */
  async write<T>(change: () => T): Promise<T> {
    let steps = 0
    const limit = setInterval(() => {
      steps += 1
      if (steps >= MAX_WAIT_STEPS) endProcess(this.path, (steps * WAIT_STEP_MS) / 1000)
    }, WAIT_STEP_MS)
    try {
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const done = await this.database.transaction(() =>
          this.#lastCommit.isLast(this.database.getWriteTxnId() - 1) ? change() : SET_BACK,
        )
        if (done !== SET_BACK) return done
      }
      throw new Failure('event_log.unavailable')
    } catch (error) {
      if (isFailure(error)) throw error
      const cause = await commitError(error)
      throw new Failure(isNoSpace(cause) ? 'event_log.full' : 'event_log.unavailable', {}, cause)
    } finally {
      clearInterval(limit)
    }
  }

  /** Keeps it open while `run` works. */
  async using<T>(run: () => T | Promise<T>): Promise<T> {
    this.#users += 1
    try {
      return await run()
    } finally {
      this.#users -= 1
      if (this.#users === 0) this.#onUnused()
    }
  }

  /** Closes it after its last user. */
  async retire(): Promise<void> {
    if (this.#isRetired) return
    this.#isRetired = true
    if (this.#users > 0)
      await new Promise<void>((resolve) => {
        this.#onUnused = resolve
      })
    await this.database.close()
    this.#lastCommit.close()
  }
}

/** By a signal: an exit would wait for the thread that waits. */
function endProcess(path: string, seconds: number): void {
  writeSync(2, `logeye: ${path}: a change has waited for ${seconds} s: this process ends\n`)
  process.kill(process.pid, 'SIGKILL')
}

/** lmdb-js 3.5 rejects a failed commit with an error whose `commitError` is a promise that
 *  rejects with the real one. */
async function commitError(error: unknown): Promise<unknown> {
  if (!(error instanceof Error && 'commitError' in error)) return error
  try {
    await error.commitError
    return error
  } catch (cause) {
    return cause
  }
}

const MDB_MAP_FULL = -30_792
const ENOSPC = 28
/** What LMDB makes of a write that the full disk cut short. */
const EIO = 5

/** LMDB or the file system has no room. */
export function isNoSpace(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return [MDB_MAP_FULL, ENOSPC, EIO, 'ENOSPC', 'EDQUOT'].some((it) => it === code)
}
