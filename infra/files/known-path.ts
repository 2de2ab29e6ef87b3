// Whether a path still leads to what a process has open. A file that was removed, or whose
// directory was, takes every write without an error, and what it takes is lost.
import { type Stats, statSync } from 'node:fs'

export class KnownPath {
  readonly path: string
  readonly #known: Stats | undefined

  /** What lies there now is the one. */
  constructor(path: string) {
    this.path = path
    this.#known = readStats(path)
  }

  get isThere(): boolean {
    const found = readStats(this.path)
    return found !== undefined && found.ino === this.#known?.ino && found.dev === this.#known.dev
  }

  /** For readiness: true, or why not. */
  check(): true | string {
    return this.isThere || 'its files were removed or replaced'
  }
}

function readStats(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false })
}
