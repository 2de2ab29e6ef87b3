// Whether the next small commit is made in this thread. On a quick disk that costs half the CPU of LMDB's own thread and none
// of its context switches, which take milliseconds when the cores are busy. A slow disk must not hold the event loop: after a
// slow commit the thread is used for a while, so that at most a twenty-fifth of the time is spent waiting here.

const MAX_BYTES = 256 * 1024
const SLOW_MS = 4
const LEAST_RETREAT_MS = 250
const RETREAT_FACTOR = 25

export class CommitPace {
  #retreatUntilMs = Number.NEGATIVE_INFINITY

  mayCommitHere(bytes: number, elapsedMs: number): boolean {
    return bytes <= MAX_BYTES && elapsedMs >= this.#retreatUntilMs
  }

  /** To be told of each commit made in this thread. */
  committed(startedMs: number, endedMs: number): void {
    const tookMs = endedMs - startedMs
    if (tookMs < SLOW_MS) return
    this.#retreatUntilMs = endedMs + Math.max(LEAST_RETREAT_MS, tookMs * RETREAT_FACTOR)
  }
}
