// What the listener counts, by name. The hot path adds plain numbers, which go to the registry of
// the process when it is read: labelled counters would cost more than the scan of an event.
import type { Logger } from '../../infra/logger.ts'
import type { Metrics } from '../../infra/metrics.ts'
import type { ListenerFailureCode } from './admission/outcome.ts'

export type AnswerName = 'success' | 'explained' | 'receipt' | 'aborted' | ListenerFailureCode

export class Telemetry {
  readonly #observeAppend: (durationMs: number, result: 'durable' | 'failed') => void
  /** At level debug alone. The access line of the request names the peer. */
  readonly #logRefusal: ((reason: string) => void) | undefined
  readonly #answers = new Map<AnswerName, number>()
  #accepted = 0
  #rejected = 0
  #undecided = 0
  #bytes = 0

  constructor(metrics: Metrics, logger: Logger, bytesInFlight: () => number) {
    if (logger.isEnabled('debug'))
      this.#logRefusal = (reason) => logger.debug('request refused', { reason })
    const requests = metrics.counter(
      'logeye_listener_requests_total',
      'Requests of the listener by their answer',
      ['answer'],
    )
    const events = metrics.counter(
      'logeye_listener_events_total',
      'Events of requests that were answered 200, by what became of them; undecided: answered 500, and the event log may have them',
      ['state'],
    )
    const bytes = metrics.counter(
      'logeye_listener_bytes_total',
      'Bytes of bodies of requests that were answered 200, decompressed',
    )
    const inFlight = metrics.gauge(
      'logeye_listener_in_flight_bytes',
      'Bytes held by requests that are not yet answered',
    )
    const appends = metrics.histogram(
      'logeye_listener_append_seconds',
      'Time of one append to the event log',
      ['result'],
    )
    this.#observeAppend = (durationMs, result) => appends.observe(durationMs / 1000, { result })
    metrics.onRead(() => {
      for (const [answer, count] of this.#answers) {
        requests.inc(count, { answer: answer.replace('listener.', '') })
      }
      this.#answers.clear()
      events.inc(this.#accepted + this.#rejected, { state: 'received' })
      events.inc(this.#accepted, { state: 'accepted' })
      events.inc(this.#rejected, { state: 'rejected' })
      events.inc(this.#undecided, { state: 'undecided' })
      bytes.inc(this.#bytes)
      this.#accepted = 0
      this.#rejected = 0
      this.#undecided = 0
      this.#bytes = 0
      inFlight.set(bytesInFlight())
    })
  }

  answered(answer: AnswerName): void {
    this.#answers.set(answer, (this.#answers.get(answer) ?? 0) + 1)
    if (this.#logRefusal !== undefined && answer.startsWith('listener.')) this.#logRefusal(answer)
  }

  stored(request: { accepted: number; rejected: number; bytes: number }): void {
    this.#accepted += request.accepted
    this.#rejected += request.rejected
    this.#bytes += request.bytes
  }

  /** An append failed of which nobody knows whether it was done. */
  undecided(events: number): void {
    this.#undecided += events
  }

  appended(durationMs: number, result: 'durable' | 'failed'): void {
    this.#observeAppend(durationMs, result)
  }
}
