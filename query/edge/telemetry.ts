// What searching counts.
import type { Metrics } from '../../infra/metrics.ts'

export type SearchTelemetry = {
  /** code 0: OK, 1–5 as answered. */
  finished(code: number, durationMs: number): void
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

export function makeSearchTelemetry(
  metrics: Metrics,
  queue: { readonly running: number; readonly waiting: number },
): SearchTelemetry {
  const searches = metrics.counter(
    'logeye_searches_total',
    'Answered searches by state and failure code (0 for OK)',
    ['state', 'code'],
  )
  const duration = metrics.histogram(
    'logeye_search_duration_seconds',
    'From receipt of a search to its answer',
    ['state'],
    SECONDS,
  )
  const running = metrics.gauge('logeye_searches_running', 'Searches the store works on')
  const queued = metrics.gauge('logeye_searches_queued', 'Searches waiting for their turn')
  metrics.onRead(() => {
    running.set(queue.running)
    queued.set(queue.waiting)
  })
  return {
    finished: (code, durationMs) => {
      const state = code === 0 ? 'OK' : 'Fail'
      searches.inc(1, { state, code })
      duration.observe(durationMs / 1000, { state })
    },
  }
}
