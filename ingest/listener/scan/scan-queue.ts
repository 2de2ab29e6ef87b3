// Scans large bodies in slices, one body after the other, so that no other sender waits longer than
// one slice.
import type { Scanned } from './scan.ts'

/** Bodies up to this are scanned at once, under a millisecond. */
export const MAX_BYTES_AT_ONCE = 256 * 1024
const SLICE_BYTES = 128 * 1024

/** Scans in steps: `run` goes on for about `maxBytes` and says whether the body is through. */
export type BodyScanner = { run(maxBytes: number): boolean; result(): Scanned }

/** `fail`: the scan or `done` threw. */
type Ends = { done(scanned: Scanned): void; fail(error: unknown): void }

type Job = Ends & { readonly scanner: BodyScanner }

export class ScanQueue {
  readonly #jobs: Job[] = []

  /** One of the ends is called in a later turn of the event loop, in order of `add`. */
  add(scanner: BodyScanner, { done, fail }: Ends): void {
    this.#jobs.push({ scanner, done, fail })
    if (this.#jobs.length === 1) setImmediate(() => this.#scanSlice())
  }

  /** What is thrown here would end the process, and the sender would repeat it. */
  #scanSlice(): void {
    const job = this.#jobs[0]
    if (!job) return
    const slice = runSlice(job.scanner)
    if (slice.isEnded) this.#jobs.shift()
    if (this.#jobs.length > 0) setImmediate(() => this.#scanSlice())
    if (!slice.isEnded) return
    try {
      if ('error' in slice) throw slice.error
      job.done(job.scanner.result())
    } catch (error) {
      job.fail(error)
    }
  }
}

function runSlice(scanner: BodyScanner): { isEnded: boolean; error?: unknown } {
  try {
    return { isEnded: scanner.run(SLICE_BYTES) }
  } catch (error) {
    return { isEnded: true, error }
  }
}
