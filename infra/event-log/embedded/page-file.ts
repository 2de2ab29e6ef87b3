// The pages of an LMDB file (data version 2, that of lmdb 3), read without LMDB: it maps the file
// and follows its numbers unseen, so that a damaged one ends the process by a signal. Numbers of
// the machine's own byte order, little-endian wherever Node runs here.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

export const PAGE_HEAD_BYTES = 24
const MAGIC = 0xbeefc0de
const DATA_VERSION = 2
const META_FLAG = 8
const MAX_PAGE_BYTES = 65_536
const MIN_PAGE_BYTES = 512
const META_BYTES = 168
/** In the first page: the size of a page. In the first two: the commit that wrote it. */
export const PAGE_BYTES_AT = 48
export const META_TRANSACTION_AT = 152
/** The flags with which environment.ts opens it: of the list of free pages, and of the blocks. */
const FREE_FLAGS = 8
const MAIN_FLAGS = 0
/** LMDB maps as much. */
const MAX_MAP_BYTES = 2 ** 46
/** More pages or transactions than any file has; below it numbers are exact. */
const MOST = 2 ** 48

/** What is wrong with the file, as the end of a sentence. */
export class FileDamage extends Error {
  override name = 'FileDamage'
}

export type Tree = {
  readonly depth: number
  readonly branchPages: number
  readonly leafPages: number
  readonly overflowPages: number
  readonly entries: number
  /** undefined: the tree is empty. */
  readonly root: number | undefined
}

export type Meta = {
  readonly pageBytes: number
  readonly transaction: number
  readonly lastPage: number
  readonly free: Tree
  readonly main: Tree
}

export class PageFile {
  readonly #descriptor: number
  readonly bytes: number
  readonly meta: Meta

  /** Fails with FileDamage when the head of the file is not whole, else like openSync. */
  constructor(path: string) {
    this.#descriptor = openSync(path, 'r')
    try {
      this.bytes = fstatSync(this.#descriptor).size
      this.meta = this.#readMeta()
    } catch (error) {
      this.close()
      throw error
    }
  }

  /** Fails with FileDamage when the file ends before. */
  read(page: number, into: Buffer): void {
    const { pageBytes } = this.meta
    this.#readAt(page * pageBytes, into.length === pageBytes ? into : into.subarray(0, pageBytes))
  }

  readBytes(page: number, bytes: Buffer): void {
    this.#readAt(page * this.meta.pageBytes, bytes)
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #readAt(at: number, into: Buffer): void {
    const read = readSync(this.#descriptor, into, 0, into.length, at)
    if (read < into.length) throw new FileDamage('it ends before its data')
  }

  /** Of the last commit. Each commit writes the other of two pages: what these say of each other
   *  shows when one went back. */
  #readMeta(): Meta {
    if (this.bytes === 0) throw new FileDamage('it is empty')
    const head = Buffer.alloc(META_BYTES)
    this.#readAt(0, head)
    const first = parseMeta(head, 0)
    this.#readAt(first.pageBytes, head)
    const second = parseMeta(head, 1)
    if (first.pageBytes !== second.pageBytes) throw headDamage()
    if (Math.abs(first.transaction - second.transaction) > 1) throw headDamage()
    return first.transaction > second.transaction ? first : second
  }
}

function parseMeta(bytes: Buffer, page: 0 | 1): Meta {
  const isMeta =
    bytes.readUInt32LE(24) === MAGIC &&
    (bytes.readUInt32LE(28) & 0xffff) === DATA_VERSION &&
    bytes.readUInt16LE(18) === META_FLAG &&
    readNumber(bytes, 0) === page
  if (!isMeta) throw headDamage()
  const meta: Meta = {
    pageBytes: bytes.readUInt32LE(PAGE_BYTES_AT),
    transaction: readNumber(bytes, META_TRANSACTION_AT),
    lastPage: readNumber(bytes, 144),
    free: parseTree(bytes, 48),
    main: parseTree(bytes, 96),
  }
  const { pageBytes, transaction, lastPage } = meta
  const mapBytes = readNumber(bytes, 40)
  const isPowerOfTwo = (pageBytes & (pageBytes - 1)) === 0
  const isSound =
    isPowerOfTwo &&
    pageBytes >= MIN_PAGE_BYTES &&
    pageBytes <= MAX_PAGE_BYTES &&
    (transaction === 0 || (transaction & 1) === page) &&
    lastPage >= 1 &&
    mapBytes >= (lastPage + 1) * pageBytes &&
    mapBytes <= MAX_MAP_BYTES &&
    bytes.readUInt16LE(52) === FREE_FLAGS &&
    bytes.readUInt16LE(100) === MAIN_FLAGS
  if (!isSound) throw headDamage()
  return meta
}

function parseTree(bytes: Buffer, at: number): Tree {
  const isEmpty = bytes.readBigUInt64LE(at + 40) === 0xffff_ffff_ffff_ffffn
  return {
    depth: bytes.readUInt16LE(at + 6),
    branchPages: readNumber(bytes, at + 8),
    leafPages: readNumber(bytes, at + 16),
    overflowPages: readNumber(bytes, at + 24),
    entries: readNumber(bytes, at + 32),
    root: isEmpty ? undefined : readNumber(bytes, at + 40),
  }
}

/** Fails with FileDamage for a number that no file has. */
export function readNumber(bytes: Buffer, at: number): number {
  const number = bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * 2 ** 32
  if (number >= MOST) throw new FileDamage('a number in it is beyond all bounds')
  return number
}

function headDamage(): FileDamage {
  return new FileDamage('its first two pages, which say what is in it, are not whole')
}
