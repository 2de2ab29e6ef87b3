// Scans large bodies in slices, one body after the other, so that no other sender waits longer than
// one slice.
import type { Scanned } from './scan.ts'

/** Bodies up to this are scanned at once, under a millisecond. */
export const MAX_BYTES_AT_ONCE = 256 * 1024
const SLICE_BYTES = 128 * 1024

/** Scans in steps: `run` goes on for about `maxBytes` and says whether the body is through. */
export type BodyScanner = { run(maxBytes: number): boolean; result(): Scanned }

type Job = { readonly scanner: BodyScanner; readonly done: (scanned: Scanned) => void }

export class ScanQueue {
  readonly #jobs: Job[] = []

  /** `done` is called in a later turn of the event loop, in order of `add`. */
  add(scanner: BodyScanner, done: (scanned: Scanned) => void): void {
    this.#jobs.push({ scanner, done })
    if (this.#jobs.length === 1) setImmediate(() => this.#scanSlice())
  }

  #scanSlice(): void {
    const job = this.#jobs[0]
    if (!job) return
    const isThrough = job.scanner.run(SLICE_BYTES)
    if (isThrough) this.#jobs.shift()
    if (this.#jobs.length > 0) setImmediate(() => this.#scanSlice())
    if (isThrough) job.done(job.scanner.result())
  }
}
