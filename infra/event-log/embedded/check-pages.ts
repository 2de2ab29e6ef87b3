// Whether LMDB may follow the numbers in a file: every page of both trees is there once, whole and
// in order, and none is listed as free, where the next commits would write over it. What
// blocks hold is not read: they have checksums of their own.
import type { Clock } from '../../clock.ts'
import { FileDamage, PAGE_HEAD_BYTES, PageFile, readNumber, type Tree } from './page-file.ts'

const BRANCH = 1
const LEAF = 2
const OVERFLOW = 4
const NODE_HEAD_BYTES = 8
const BIG_DATA = 1
const MAX_DEPTH = 32
const MAX_KEY_BYTES = 4096
const KEY_OF_FREE_BYTES = 8
const PAGES_PER_LOOK = 256

export type PagesChecked = {
  /** False: there were more pages than the time allowed. */
  readonly isWhole: boolean
  readonly pages: number
}

type Node = { readonly at: number; readonly flags: number; readonly key: Buffer }
type Counts = { branchPages: number; leafPages: number; overflowPages: number; entries: number }

/** Only while nobody writes. Fails with FileDamage, or as the file system does. */
export function checkPages(
  path: string,
  { clock, limitMs }: { clock: Pick<Clock, 'elapsedMs'>; limitMs: number },
): PagesChecked {
  const file = new PageFile(path)
  try {
    return new PageWalk(file, clock, clock.elapsedMs() + limitMs).run()
  } finally {
    file.close()
  }
}

class OutOfTime extends Error {
  override name = 'OutOfTime'
}

class PageWalk {
  readonly #file: PageFile
  readonly #clock: Pick<Clock, 'elapsedMs'>
  readonly #deadlineMs: number
  /** A byte a page: 0 not met, 1 in a tree, 2 free. */
  readonly #met: Uint8Array
  #pages = 0

  constructor(file: PageFile, clock: Pick<Clock, 'elapsedMs'>, deadlineMs: number) {
    this.#file = file
    this.#clock = clock
    this.#deadlineMs = deadlineMs
    const { lastPage, pageBytes } = file.meta
    // Only free pages of a failed commit may lie after the end of the file.
    if (lastPage > 2 * (file.bytes / pageBytes) + 2 ** 16) throw new FileDamage('it was cut')
    this.#met = new Uint8Array(lastPage + 1)
    this.#met.fill(1, 0, 2)
  }

  run(): PagesChecked {
    const { free, main } = this.#file.meta
    try {
      this.#walk(free, true)
      this.#walk(main, false)
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error
      return { isWhole: false, pages: this.#pages }
    }
    return { isWhole: true, pages: this.#pages }
  }

  #walk(tree: Tree, isFreeList: boolean): void {
    const counts: Counts = { branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 }
    if (tree.root !== undefined) {
      if (tree.depth < 1 || tree.depth > MAX_DEPTH) throw new FileDamage('a tree has no depth')
      this.#walkPage(tree.root, tree.depth, { from: undefined, to: undefined }, counts, isFreeList)
    }
    const isAsSaid =
      counts.branchPages === tree.branchPages &&
      counts.leafPages === tree.leafPages &&
      counts.overflowPages === tree.overflowPages &&
      counts.entries === tree.entries
    if (!isAsSaid) throw new FileDamage('it does not hold as many entries as it says')
  }

  #walkPage(
    page: number,
    depth: number,
    bounds: { from: Buffer | undefined; to: Buffer | undefined },
    counts: Counts,
    isFreeList: boolean,
  ): void {
    this.#meet(page, 1)
    this.#pages += 1
    if (this.#pages % PAGES_PER_LOOK === 0 && this.#clock.elapsedMs() > this.#deadlineMs)
      throw new OutOfTime()
    const bytes = Buffer.allocUnsafe(this.#file.meta.pageBytes)
    this.#file.read(page, bytes)
    const isLeaf = depth === 1
    // LMDB would take a page of a later commit for its own, and write into the map.
    if (readNumber(bytes, 8) > this.#file.meta.transaction)
      throw new FileDamage('a page is of a commit that was not made')
    const nodes = readNodes(bytes, page, isLeaf, isFreeList)
    checkOrder(nodes, bounds, { isLeaf, isFreeList })
    if (isLeaf) counts.leafPages += 1
    else counts.branchPages += 1
    for (const [i, node] of nodes.entries()) {
      if (isLeaf) this.#leafNode(bytes, node, counts, isFreeList)
      else {
        const from = i === 0 ? bounds.from : node.key
        const to = nodes[i + 1]?.key ?? bounds.to
        this.#walkPage(childOf(bytes, node.at), depth - 1, { from, to }, counts, isFreeList)
      }
    }
  }

  #leafNode(bytes: Buffer, { at, flags, key }: Node, counts: Counts, isFreeList: boolean): void {
    counts.entries += 1
    const length = bytes.readUInt32LE(at)
    const dataAt = at + NODE_HEAD_BYTES + key.length
    if (flags !== 0 && flags !== BIG_DATA) throw new FileDamage('an entry is of no known kind')
    if (flags === 0) {
      if (dataAt + length > bytes.length) throw new FileDamage('an entry is longer than its page')
      if (isFreeList) this.#freePages(bytes.subarray(dataAt, dataAt + length))
      return
    }
    if (dataAt + PAGE_HEAD_BYTES > bytes.length)
      throw new FileDamage('an entry is longer than its page')
    const first = readNumber(bytes, dataAt)
    const count = readNumber(bytes, dataAt + 16)
    const { pageBytes } = this.#file.meta
    if (count !== Math.floor((PAGE_HEAD_BYTES - 1 + length) / pageBytes) + 1)
      throw new FileDamage('an entry has another length than its pages')
    for (let page = first; page < first + count; page += 1) this.#meet(page, 1)
    counts.overflowPages += count
    const head = Buffer.allocUnsafe(isFreeList ? PAGE_HEAD_BYTES + length : PAGE_HEAD_BYTES)
    this.#file.readBytes(first, head)
    const isHead =
      readNumber(head, 0) === first &&
      readNumber(head, 8) <= this.#file.meta.transaction &&
      head.readUInt16LE(18) === OVERFLOW &&
      head.readUInt32LE(20) === count
    if (!isHead) throw new FileDamage('an entry is not where its page says')
    if ((first + count) * pageBytes > Math.ceil(this.#file.bytes / pageBytes) * pageBytes)
      throw new FileDamage('it ends before its data')
    if (isFreeList) this.#freePages(head.subarray(PAGE_HEAD_BYTES))
  }

  /** A list of lmdb-js: how many numbers follow; 0 is an empty place, -n and p are n pages from p
   *  on. */
  #freePages(list: Buffer): void {
    if (list.length < 8 || list.length % 8 !== 0)
      throw new FileDamage('a list of free pages is cut')
    const count = readNumber(list, 0)
    if ((count + 1) * 8 > list.length) throw new FileDamage('a list of free pages is cut')
    for (let i = 1; i <= count; i += 1) {
      const entry = Number(list.readBigInt64LE(i * 8))
      if (entry === 0) continue
      if (entry > 0) {
        this.#meet(entry, 2)
        continue
      }
      i += 1
      if (i > count) throw new FileDamage('a list of free pages is cut')
      const first = readNumber(list, i * 8)
      if (first - entry > this.#met.length)
        throw new FileDamage('a page is named that is not there')
      for (let page = first; page < first - entry; page += 1) this.#meet(page, 2)
    }
  }

  #meet(page: number, as: 1 | 2): void {
    const met = this.#met[page]
    if (met === undefined) throw new FileDamage('a page is named that is not there')
    if (met !== 0) throw new FileDamage('a page is named twice')
    this.#met[page] = as
  }
}

function readNodes(bytes: Buffer, page: number, isLeaf: boolean, isFreeList: boolean): Node[] {
  const kind = bytes.readUInt16LE(18)
  const lower = bytes.readUInt16LE(20)
  const upper = bytes.readUInt16LE(22)
  const room = bytes.length - PAGE_HEAD_BYTES
  const isPage =
    readNumber(bytes, 0) === page &&
    kind === (isLeaf ? LEAF : BRANCH) &&
    lower % 2 === 0 &&
    lower > 0 &&
    lower <= upper &&
    upper <= room
  if (!isPage) throw new FileDamage('a page has an unexpected head')
  const nodes: Node[] = []
  for (let i = 0; i < lower >> 1; i += 1) {
    const offset = bytes.readUInt16LE(PAGE_HEAD_BYTES + 2 * i)
    const at = offset + PAGE_HEAD_BYTES
    if (offset < upper || at + NODE_HEAD_BYTES > bytes.length)
      throw new FileDamage('an entry lies outside of its page')
    const keyBytes = bytes.readUInt16LE(at + 6)
    const isFirstOfBranch = !isLeaf && i === 0
    const isKey =
      (keyBytes > 0 || isFirstOfBranch) &&
      keyBytes <= MAX_KEY_BYTES &&
      at + NODE_HEAD_BYTES + keyBytes <= bytes.length &&
      (!isFreeList || keyBytes === KEY_OF_FREE_BYTES || (isFirstOfBranch && keyBytes === 0))
    if (!isKey) throw new FileDamage('a key lies outside of its page')
    const key = bytes.subarray(at + NODE_HEAD_BYTES, at + NODE_HEAD_BYTES + keyBytes)
    nodes.push({ at, flags: bytes.readUInt16LE(at + 4), key })
  }
  return nodes
}

function checkOrder(
  nodes: readonly Node[],
  bounds: { from: Buffer | undefined; to: Buffer | undefined },
  { isLeaf, isFreeList }: { isLeaf: boolean; isFreeList: boolean },
): void {
  const compare = isFreeList ? compareNumbers : Buffer.compare
  // The first key of a branch says nothing.
  let before = bounds.from
  let isEqualAllowed = true
  for (const [i, { key }] of nodes.entries()) {
    if (!isLeaf && i === 0) continue
    if (before !== undefined) {
      const order = compare(before, key)
      if (order > 0 || (order === 0 && !isEqualAllowed))
        throw new FileDamage('keys are not in order')
    }
    before = key
    isEqualAllowed = false
  }
  if (before !== undefined && bounds.to !== undefined && compare(before, bounds.to) >= 0)
    throw new FileDamage('keys are not in order')
}

function compareNumbers(one: Buffer, other: Buffer): number {
  return readNumber(one, 0) - readNumber(other, 0)
}

/** 48 bits of the node's head. */
function childOf(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at) + bytes.readUInt16LE(at + 4) * 2 ** 32
}
