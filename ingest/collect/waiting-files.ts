// Files that are not begun yet, and how long they have been seen unchanged: by our clock, whatever
// their own times say.
import { MAX_FILES } from './find-files.ts'
import type { FoundFile } from './sources/file-source.ts'

type Waiting = {
  readonly size: number
  readonly changedMs: number
  readonly sinceMs: number
  readonly firstMs: number
}

export class WaitingFiles {
  readonly #elapsedMs: () => number
  readonly #byPlace = new Map<string, Waiting>()

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs
  }

  ageOf({ place, size, changedMs }: FoundFile): number {
    const nowMs = this.#elapsedMs()
    const seen = this.#byPlace.get(place)
    if (seen !== undefined && seen.size === size && seen.changedMs === changedMs)
      return nowMs - seen.sinceMs
    const firstMs = seen?.firstMs ?? nowMs
    this.#byPlace.set(place, { size, changedMs, sinceMs: nowMs, firstMs })
    return 0
  }

  sinceFirst({ place }: FoundFile): number {
    const nowMs = this.#elapsedMs()
    return nowMs - (this.#byPlace.get(place)?.firstMs ?? nowMs)
  }

  forget(place: string): void {
    this.#byPlace.delete(place)
  }

  /** Those that were begun; where there are too many, others, too. */
  drop(isBegun: (place: string) => boolean): void {
    for (const place of [...this.#byPlace.keys()])
      if (isBegun(place) || this.#byPlace.size > MAX_FILES) this.#byPlace.delete(place)
  }
}
