// Senders that repeat a request, with the same Idempotency-Key, until it is answered 200: what they hold acknowledged must be found once.
import { mulberry32 } from '../support/events.ts'

export type FaithfulSenders = {
  /** Events answered 200 so far. */
  readonly acknowledged: () => number
  /** Longest time without any acknowledgement, in milliseconds, since the start. */
  readonly longestStopMs: () => number
  readonly repeated: () => number
  /** Statuses seen, connection failures as 0. */
  readonly statuses: ReadonlyMap<number, number>
  /** No new requests; resolves when every open one is acknowledged, or fails after `limitMs`. */
  finish(limitMs: number): Promise<void>
}

export type SenderOptions = {
  readonly url: () => string
  readonly token: string
  readonly senders: number
  readonly seed: number
  /** Distinguishes the requests of two campaigns over one data directory. */
  readonly campaign: string
}

const ANSWER_LIMIT_MS = 10_000

export function startFaithfulSenders(options: SenderOptions): FaithfulSenders {
  const random = mulberry32(options.seed)
  const statuses = new Map<number, number>()
  let acknowledged = 0
  let repeated = 0
  let nextEvent = 0
  let lastAcknowledgedAt = performance.now()
  let longestStopMs = 0
  let isFinishing = false
  let deadline = Number.POSITIVE_INFINITY

  async function run(sender: number): Promise<void> {
    for (let request = 0; !isFinishing; request += 1) {
      const count = random(4) === 0 ? 1 + random(200) : 1
      const body = makeBody(nextEvent, count, sender)
      nextEvent += count
      const key = `${options.campaign}-${sender}-${request}`
      await sendUntilAcknowledged(sender, body, key)
      acknowledged += count
      const now = performance.now()
      longestStopMs = Math.max(longestStopMs, now - lastAcknowledgedAt)
      lastAcknowledgedAt = now
      await sleep(random(20))
    }
  }

  async function sendUntilAcknowledged(sender: number, body: string, key: string): Promise<void> {
    while (performance.now() < deadline) {
      const status = await post(sender, body, key)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 200) return
      if (status === 400) throw new Error('a good request was answered 400')
      repeated += 1
      await sleep(10 + random(50))
    }
    throw new Error('a request was not acknowledged in time')
  }

  async function post(sender: number, body: string, key: string): Promise<number> {
    try {
      const answer = await fetch(
        `${options.url()}/logeye/api/logger.jsp?token=${options.token}&hostName=sender${sender}`,
        {
          method: 'POST',
          body,
          headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
          signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
        },
      )
      await answer.arrayBuffer()
      return answer.status
    } catch {
      return 0
    }
  }

  const running = Promise.all(Array.from({ length: options.senders }, (_, sender) => run(sender)))
  running.catch(() => undefined)
  return {
    acknowledged: () => acknowledged,
    longestStopMs: () => longestStopMs,
    repeated: () => repeated,
    statuses,
    async finish(limitMs) {
      isFinishing = true
      deadline = performance.now() + limitMs
      await running
    },
  }
}

function makeBody(first: number, count: number, sender: number): string {
  let body = ''
  for (let number = first; number < first + count; number += 1) {
    body += `${JSON.stringify({ n: number, sender, level: number % 7 === 0 ? 'ERROR' : 'INFO', message: `numbered event ${number} of sender ${sender} ${'padding '.repeat(number % 20)}` })}\n`
  }
  return body
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
