// Senders that keep what they have until it is acknowledged: each repeats a request, with the same
// Idempotency-Key, until it is answered 200, and only then goes on to its next. What they hold
// acknowledged must be found once, in their order.
import { mulberry32 } from '../../support/events.ts'
import { bodyText, hostOf, isCloudEvents, type Place } from './numbered-events.ts'
import type { Target } from './target.ts'

/** All of it is acknowledged once the senders are held. */
export type Sent = Place & { readonly events: number }

export type Senders = {
  /** Events answered 200 so far. */
  acknowledged(): number
  repeated(): number
  /** Statuses seen; connection failures and answers that did not come in time are 0. */
  readonly statuses: ReadonlyMap<number, number>
  /** What was sent in each round; the number of events is that of now. */
  sent(): Sent[]
  /** No new requests; resolves when every open one is acknowledged, fails after `limitMs`. */
  hold(limitMs: number): Promise<void>
  /** Goes on; in a new round the numbers begin at zero under new names. */
  release(round: number): void
  /** For ever. Never fails. */
  end(): Promise<void>
}

export type SendersOptions = {
  readonly target: Pick<Target, 'senderUrl' | 'secrets'>
  readonly senders: number
  readonly seed: number
  /** After each request that was acknowledged. */
  onAcknowledged(events: number): void
}

const MAX_PAUSE_MS = 50
const BATCH_ONE_IN = 4
const MAX_BATCH = 40
/** A sender gives up an answer and repeats, also while the first try is still on its way. */
const MIN_PATIENCE_MS = 400
const MAX_PATIENCE_MS = 4000
const MAX_WAIT_MS = 100
const POLL_MS = 10

export function startSenders(options: SendersOptions): Senders {
  const statuses = new Map<number, number>()
  const ended = new AbortController()
  const places: Sent[][] = Array.from({ length: options.senders }, () => [])
  let acknowledged = 0
  let repeated = 0
  let round = 0
  let isHeld = true
  let open = 0
  let failure: unknown

  async function run(sender: number): Promise<void> {
    const random = mulberry32(options.seed * 1000 + sender)
    for (let request = 0; !ended.signal.aborted; request += 1) {
      while (isHeld && !ended.signal.aborted) await sleep(POLL_MS)
      if (ended.signal.aborted) return
      const place = { seed: options.seed, round, sender }
      const before = eventsOf(sender)
      const count = random(BATCH_ONE_IN) === 0 ? 1 + random(MAX_BATCH) : 1
      open += 1
      await send(
        place,
        bodyText(place, before, count),
        `${options.seed}-${sender}-${request}`,
        random,
      )
      open -= 1
      places[sender]?.pop()
      places[sender]?.push({ ...place, events: before + count })
      acknowledged += count
      options.onAcknowledged(count)
      await sleep(random(MAX_PAUSE_MS))
    }
  }

  /** Of this round. */
  function eventsOf(sender: number): number {
    const last = places[sender]?.at(-1)
    if (last?.round === round) return last.events
    places[sender]?.push({ seed: options.seed, round, sender, events: 0 })
    return 0
  }

  async function send(
    place: Place,
    body: string,
    key: string,
    random: (limit: number) => number,
  ): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      const url = options.target.senderUrl(place.sender, attempt)
      const patienceMs = MIN_PATIENCE_MS + random(MAX_PATIENCE_MS - MIN_PATIENCE_MS)
      const status = await post(url, place, body, key, patienceMs)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 200) return
      if (status === 400) throw new Error('a good request was answered 400')
      ended.signal.throwIfAborted()
      repeated += 1
      await sleep(random(MAX_WAIT_MS))
    }
  }

  async function post(
    url: string,
    place: Place,
    body: string,
    key: string,
    patienceMs: number,
  ): Promise<number> {
    try {
      const { token } = options.target.secrets
      const { path, type } = wayOf(place, body)
      const query = `token=${token}&hostName=${hostOf(place)}`
      const answer = await fetch(`${url}/logeye/api/${path}?${query}`, {
        method: 'POST',
        body,
        headers: { 'Content-Type': type, 'Idempotency-Key': key },
        signal: AbortSignal.any([ended.signal, AbortSignal.timeout(patienceMs)]),
      })
      await answer.arrayBuffer()
      return answer.status
    } catch {
      return 0
    }
  }

  const running = Promise.all(
    Array.from({ length: options.senders }, (_, sender) =>
      run(sender).catch((error: unknown) => {
        if (!ended.signal.aborted) failure = error
      }),
    ),
  )
  return {
    acknowledged: () => acknowledged,
    repeated: () => repeated,
    statuses,
    sent: () => places.flat(),
    hold: async (limitMs) => {
      isHeld = true
      for (const begin = performance.now(); open > 0; await sleep(POLL_MS)) {
        if (failure !== undefined) throw failure
        if (performance.now() - begin > limitMs)
          throw new Error(`${open} requests were not acknowledged within ${limitMs} ms`)
      }
    },
    release: (next) => {
      round = next
      isHeld = false
    },
    end: async () => {
      ended.abort()
      await running
    },
  }
}

function wayOf(place: Place, body: string): { path: string; type: string } {
  if (!isCloudEvents(place)) return { path: 'logger.jsp', type: 'application/json' }
  const kind = body.startsWith('[') ? 'cloudevents-batch' : 'cloudevents'
  return { path: 'cloudevents', type: `application/${kind}+json` }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
