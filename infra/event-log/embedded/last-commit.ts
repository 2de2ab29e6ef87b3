// The number of the last commit, which LMDB keeps in its lock file for all processes. lmdb 3.5
// writes it there whenever a process opens the environment, from the file's head that it read
// without the lock: a commit in between is forgotten, and the next one takes its place. So each
// change looks first, under LMDB's lock, whether it begins at the newest commit that the data file
// has (decision 0035).
import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { META_TRANSACTION_AT, PAGE_BYTES_AT, readNumber } from './page-file.ts'

export const DATA_FILE = 'data.mdb'
export const LOCK_FILE = 'lock.mdb'

/** Of the lock file: the number of the last commit. */
const LAST_AT = 8

export class LastCommit {
  readonly #path: string
  readonly #data: number
  readonly #pageBytes: number
  readonly #number = Buffer.alloc(8)
  readonly #lockInode: number
  #lock: number | undefined

  /** Of an environment that is open. */
  constructor(path: string) {
    this.#path = path
    this.#lockInode = statSync(join(path, LOCK_FILE)).ino
    this.#data = openSync(join(path, DATA_FILE), 'r')
    readSync(this.#data, this.#number, 0, 4, PAGE_BYTES_AT)
    this.#pageBytes = this.#number.readUInt32LE()
  }

  /** Only under LMDB's write lock. False when `number` was set back: it is right again now, for the
   *  next transaction. Fails when the lock file is gone, or another lies in its place. */
  isLast(number: number): boolean {
    const newest = Math.max(this.#numberAt(0), this.#numberAt(this.#pageBytes))
    if (newest === number) return true
    this.#lock ??= this.#openLock()
    this.#number.writeBigUInt64LE(BigInt(newest))
    writeSync(this.#lock, this.#number, 0, 8, LAST_AT)
    return false
  }

  /** Never closed: that would end all locks of this process on it, by which LMDB knows who has it
   *  open. */
  #openLock(): number {
    const path = join(this.#path, LOCK_FILE)
    if (statSync(path).ino !== this.#lockInode) throw new Error(`${path} is another file now`)
    return openSync(path, 'r+')
  }

  close(): void {
    closeSync(this.#data)
  }

  #numberAt(page: number): number {
    readSync(this.#data, this.#number, 0, 8, page + META_TRANSACTION_AT)
    return readNumber(this.#number, 0)
  }
}
