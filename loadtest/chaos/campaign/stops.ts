// How long nothing at all was acknowledged, and under which fault that was.

type Begun = { readonly fault: string; readonly atMs: number }

export class Stops {
  readonly #longest = new Map<string, number>()
  readonly #begun: Begun[] = []
  #lastMs: number | undefined

  /** From here on nobody waits for anything. */
  pause(): void {
    this.#lastMs = undefined
  }

  resume(): void {
    this.#lastMs = performance.now()
  }

  strike(fault: string): void {
    this.#begun.push({ fault, atMs: performance.now() })
  }

  acknowledged(): void {
    const nowMs = performance.now()
    if (this.#lastMs !== undefined) this.#note(this.#lastMs, nowMs)
    this.#lastMs = nowMs
  }

  longestMs(fault: string): number {
    return Math.round(this.#longest.get(fault) ?? 0)
  }

  /** A stop belongs to the fault that it shared the longest time with. */
  #note(fromMs: number, toMs: number): void {
    let best: string | undefined
    let bestMs = 0
    let untilMs = toMs
    for (let at = this.#begun.length - 1; at >= 0 && untilMs > fromMs; at -= 1) {
      const begun = this.#begun[at]
      if (begun === undefined) break
      const sharedMs = untilMs - Math.max(fromMs, begun.atMs)
      if (sharedMs > bestMs) {
        best = begun.fault
        bestMs = sharedMs
      }
      untilMs = begun.atMs
    }
    if (best === undefined) return
    this.#longest.set(best, Math.max(this.#longest.get(best) ?? 0, toMs - fromMs))
  }
}
