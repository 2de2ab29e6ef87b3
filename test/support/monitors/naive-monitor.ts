// A monitor evaluated by one who sees everything: all events of the simulated time with the moments
// of their receipt, and the due times at which somebody ran it. It knows nothing of states, marks
// and rows of runs: it looks at the whole past each time.

export type SimEvent = {
  readonly receivedMs: number
  readonly atMs: number
  readonly group: string
}

export type SimRules = {
  /** Rows at least. */
  readonly count: number
  /** Undefined: what is new. */
  readonly windowMs: number | undefined
  readonly openAfter: number
  readonly closeAfter: number
}

export type SimRun = { readonly dueMs: number; readonly readMs: number }

/** `group@due` of each alert that opens, and `-group@due` of each that closes, in their order. */
export function naiveAlerts(
  events: readonly SimEvent[],
  runs: readonly SimRun[],
  { count, windowMs, openAfter, closeAfter }: SimRules,
  sinceMs: number,
): string[] {
  const told: string[] = []
  for (const group of [...new Set(events.map((event) => event.group))].sort()) {
    const failed = runs.map(({ dueMs, readMs }, at) => {
      const beforeMs = runs[at - 1]?.readMs ?? sinceMs
      const seen = events.filter((event) => {
        if (event.group !== group) return false
        if (windowMs === undefined) return event.receivedMs >= beforeMs && event.receivedMs < readMs
        const isInside = event.atMs >= dueMs - windowMs && event.atMs < dueMs
        return isInside && event.receivedMs < readMs
      })
      return seen.length >= count
    })
    let isOpen = false
    for (const [at, { dueMs }] of runs.entries()) {
      const last = (length: number, wanted: boolean) =>
        at + 1 >= length && failed.slice(at + 1 - length, at + 1).every((one) => one === wanted)
      if (!isOpen && last(openAfter, true)) {
        isOpen = true
        told.push(`${group}@${dueMs}`)
      } else if (isOpen && last(closeAfter, false)) {
        isOpen = false
        told.push(`-${group}@${dueMs}`)
      }
    }
  }
  return told.sort()
}
