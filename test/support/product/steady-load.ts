// Senders that never pause, each event with a number of its own, and which of them were
// acknowledged.
import { systemClock } from '../../../infra/clock.ts'
import { repeatUntil } from '../run/wait-until.ts'

const EVENTS_A_REQUEST = 100
const SENDERS = 3

export type SteadyLoad = {
  /** Numbers of all that are acknowledged so far. */
  acknowledged(): ReadonlySet<number>
  /** Resolves when none is under way. */
  stop(): Promise<void>
}

/** A refused request, or one that was cut, is sent again with its Idempotency-Key. */
export function startSteadyLoad({
  url,
  token,
  pauseMs = 0,
}: {
  readonly url: string
  readonly token: string
  /** Of each sender after an answer. */
  readonly pauseMs?: number
}): SteadyLoad {
  const acknowledged = new Set<number>()
  let next = 0
  let isStopping = false
  const send = async () => {
    while (!isStopping) {
      const numbers = Array.from({ length: EVENTS_A_REQUEST }, () => next++)
      const events = numbers.map((n) => ({ message: `steady ${n}`, n }))
      let isTaken = false
      await repeatUntil(
        () => isStopping || isTaken,
        async () => {
          isTaken = await isAccepted(events)
        },
      )
      if (isTaken) for (const n of numbers) acknowledged.add(n)
      if (pauseMs > 0) await systemClock.sleep(pauseMs)
    }
  }
  /** False also while the product is away. */
  const isAccepted = async (events: readonly { n: number }[]) => {
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
      return answer.status === 200
    } catch {
      return false
    }
  }
  const senders = Array.from({ length: SENDERS }, send)
  return {
    acknowledged: () => new Set(acknowledged),
    stop: async () => {
      isStopping = true
      await Promise.all(senders)
    },
  }
}
