// JSON in Native's flattened form: all paths by name, the variant types of each, then for each path
// its rows.
import type { ByteBuffer } from '../../bytes/byte-buffer.ts'
import { JsonPath } from './json-path.ts'

const FLATTENED = 3
/** Builders kept between blocks; more than these are of a sender that makes names up. */
const MAX_KEPT_PATHS = 512

export class JsonColumn {
  readonly #paths = new Map<string, JsonPath>()
  #used: JsonPath[] = []

  reset(): void {
    if (this.#paths.size > MAX_KEPT_PATHS) this.#paths.clear()
    else for (const path of this.#paths.values()) path.reset()
    this.#used = []
  }

  /** Paths with a value in this block. */
  get pathCount(): number {
    return this.#used.length
  }

  /** The builder of a path; `use` it before its first value in a block. */
  path(name: string): JsonPath {
    let path = this.#paths.get(name)
    if (path === undefined) {
      path = new JsonPath(name)
      this.#paths.set(name, path)
    }
    return path
  }

  use(path: JsonPath): void {
    this.#used.push(path)
  }

  write(out: ByteBuffer, rows: number): void {
    const paths = this.#used
      .map((path) => ({ path, key: Buffer.from(path.name) }))
      .sort((a, b) => Buffer.compare(a.key, b.key))
    out.writeUint64(FLATTENED)
    out.writeVarint(paths.length)
    for (const { path } of paths) out.writeString(path.name)
    for (const { path } of paths) path.writeHeader(out)
    for (const { path } of paths) path.writeData(out, rows)
  }
}
