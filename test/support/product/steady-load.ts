// Senders that never pause, each event with a number of its own, and which of them were
// acknowledged.
const EVENTS_A_REQUEST = 100
const SENDERS = 3

export type SteadyLoad = {
  /** Numbers of all that are acknowledged so far. */
  acknowledged(): ReadonlySet<number>
  /** Milliseconds of the longest time in which nothing was acknowledged, so far. */
  longestPauseMs(): number
  /** Resolves when none is under way. */
  stop(): Promise<void>
}

/** A refused request, or one that was cut, is sent again with its Idempotency-Key. */
export function startSteadyLoad({
  url,
  token,
  pauseMs: betweenMs = 0,
}: {
  readonly url: string
  readonly token: string
  /** Of each sender after an answer. */
  readonly pauseMs?: number
}): SteadyLoad {
  const acknowledged = new Set<number>()
  let next = 0
  let isStopping = false
  let lastMs = performance.now()
  let pauseMs = 0
  const send = async () => {
    while (!isStopping) {
      const numbers = Array.from({ length: EVENTS_A_REQUEST }, () => next++)
      const events = numbers.map((n) => ({ message: `steady ${n}`, n }))
      if (!(await sendUntilTaken(events))) return
      for (const n of numbers) acknowledged.add(n)
      pauseMs = Math.max(pauseMs, performance.now() - lastMs)
      lastMs = performance.now()
      if (betweenMs > 0) await new Promise((resolve) => setTimeout(resolve, betweenMs))
    }
  }
  const sendUntilTaken = async (events: readonly { n: number }[]) => {
    while (!isStopping) {
      try {
        const answer = await fetch(`${url}/logeye/api/logger.jsp?token=${token}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'idempotency-key': `steady ${events[0]?.n}`,
          },
          body: JSON.stringify(events),
        })
        await answer.arrayBuffer()
        if (answer.status === 200) return true
      } catch {
        // The product is away for a moment.
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return false
  }
  const senders = Array.from({ length: SENDERS }, send)
  return {
    acknowledged: () => new Set(acknowledged),
    longestPauseMs: () => pauseMs,
    stop: async () => {
      isStopping = true
      await Promise.all(senders)
    },
  }
}
