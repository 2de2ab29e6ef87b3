// uWS cuts an upload that is slower than about 1 KB/s after 12 s, without an answer. A sender on a
// bad line deserves one, so each piece that arrives grants it more time; up to a limit, or one that
// sends a byte a second would keep its connection and memory for ever.
import type { HttpResponse } from 'uWebSockets.js'
import type { Clock } from '../../clock.ts'

const REFRESH_AFTER_MS = 3000
const LIMIT_MS = 120_000

export class UploadPace {
  readonly #res: HttpResponse
  readonly #clock: Clock
  #beginMs = -1
  #refreshedMs = 0

  constructor(res: HttpResponse, clock: Clock) {
    this.#res = res
    this.#clock = clock
  }

  /** A piece came and it was not the last. */
  heard(): void {
    const nowMs = this.#clock.elapsedMs()
    if (this.#beginMs < 0) {
      this.#beginMs = nowMs
      this.#refreshedMs = nowMs
    }
    if (nowMs - this.#refreshedMs < REFRESH_AFTER_MS || nowMs - this.#beginMs > LIMIT_MS) return
    this.#refreshedMs = nowMs
    // The one way to start uWS's timer anew (uws-pack 20.0.8).
    this.#res.pause()
    this.#res.resume()
  }
}
