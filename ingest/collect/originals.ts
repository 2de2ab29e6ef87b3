// Which known file one that turned up was copied, packed or moved from: by its begin, what stands
// before the position, and, for a copy that ends before it, what stands at the last mark in it.
import { basename, dirname, join } from 'node:path'
import type { CollectedFile } from '../../infra/metastore/collect/collected-files.ts'
import { type FileTail, hashOf, LEAST_MARK, markOf } from './file-tail.ts'
import { seriesOf } from './path-pattern.ts'
import type { FileSource } from './sources/file-source.ts'

/** The fault of a file that has no name any more, nor bytes that were not read. */
export const GONE = 'gone'
/** Files that begin alike in less may be different ones: one that is packed comes of one of its
 *  series that was the same to its end. */
const LEAST_HEAD_BYTES = 32

export type Likeness =
  /** `file` is read up to a position that lies in it. */
  | { readonly kind: 'copy'; readonly file: CollectedFile }
  /** `file` was read further than it goes. */
  | { readonly kind: 'short'; readonly file: CollectedFile }

export class Originals {
  /** By their first LEAST_MARK bytes; those that are shorter, or were kept by a version without
   *  marks, by length and hash of what is known of their begin. */
  readonly #byMark = new Map<string, CollectedFile[]>()
  readonly #byHead = new Map<number, Map<string, CollectedFile[]>>()
  /** Of less than LEAST_HEAD_BYTES, by series and what was read. */
  readonly #short = new Map<string, CollectedFile[]>()

  readonly #mayGoOn: FileSource['mayGoOn']

  /** Of those that are alike, the one that was read furthest is the original. */
  constructor(known: readonly CollectedFile[], mayGoOn: FileSource['mayGoOn']) {
    this.#mayGoOn = mayGoOn
    for (const file of known.toSorted((a, b) => b.position - a.position)) {
      const { headBytes, headHash, marks, state } = file
      if (state === 'skipped') continue
      if (headBytes < LEAST_HEAD_BYTES) {
        if (headBytes > 0 && file.position === headBytes && !file.isPacked)
          push(this.#short, shortKey(file.path, headHash), file)
        continue
      }
      const mark = markOf(marks, LEAST_MARK)
      if (mark !== undefined) push(this.#byMark, mark, file)
      else {
        const byHash = this.#byHead.get(headBytes) ?? new Map<string, CollectedFile[]>()
        this.#byHead.set(headBytes, byHash)
        push(byHash, headHash, file)
      }
    }
  }

  /** Fails as reading of the file does. */
  async of(
    tail: FileTail,
    head: { readonly bytes: Buffer; readonly marks: string },
    isPacked: boolean,
  ): Promise<Likeness | undefined> {
    let short: CollectedFile | undefined
    const isShort = isPacked && head.bytes.length < LEAST_HEAD_BYTES
    if (isShort) return copyOf(this.#short.get(shortKey(tail.path, hashOf(head.bytes)))?.[0])
    for (const file of this.#alike(head.bytes, head.marks)) {
      // What stood in the file itself before it was cut off is no original of what stands there.
      const isItself = file.place === tail.file.place && file.isPacked === isPacked
      if (isItself && file.fault !== GONE) continue
      if (!this.#mayGoOn(tail.file.place, file.place)) continue
      // Of what cannot be unpacked nothing is known.
      if (file.isPacked && file.position === 0 && file.fault !== '') continue
      if (await tail.hasRead(file)) return { kind: 'copy', file }
      if (!isPacked && tail.size < file.position && (await tail.hasMarkOf(file))) short ??= file
    }
    return short === undefined ? undefined : { kind: 'short', file: short }
  }

  *#alike(head: Buffer, marks: string): Generator<CollectedFile> {
    const mark = markOf(marks, LEAST_MARK)
    if (mark !== undefined) yield* this.#byMark.get(mark) ?? []
    for (const [length, byHash] of this.#byHead)
      if (head.length >= length) yield* byHash.get(hashOf(head.subarray(0, length))) ?? []
  }
}

function shortKey(path: string, hash: string): string {
  return `${join(dirname(path), seriesOf(basename(path)))} ${hash}`
}

function copyOf(file: CollectedFile | undefined): Likeness | undefined {
  return file === undefined ? undefined : { kind: 'copy', file }
}

function push(map: Map<string, CollectedFile[]>, key: string, file: CollectedFile): void {
  const same = map.get(key)
  if (same === undefined) map.set(key, [file])
  else same.push(file)
}
