// Scans large bodies in slices, one body after the other, so that no other sender waits longer than one slice.
import { type ScanLimits, type Scanned, Scanner } from './scan.ts'

/** Bodies up to this are scanned at once, under a millisecond. */
export const MAX_BYTES_AT_ONCE = 256 * 1024
const SLICE_BYTES = 128 * 1024

type Job = { readonly scanner: Scanner; readonly done: (scanned: Scanned) => void }

export class ScanQueue {
  readonly #limits: ScanLimits
  readonly #jobs: Job[] = []

  constructor(limits: ScanLimits) {
    this.#limits = limits
  }

  /** `done` is called in a later turn of the event loop, in order of `add`. */
  add(body: Uint8Array, done: (scanned: Scanned) => void): void {
    this.#jobs.push({ scanner: new Scanner(body, this.#limits), done })
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
