// How far the writer has committed events, handed over by roles/query.ts: reads of events stop
// there, since an insert is seen in parts before, and after a crash is completed by another one.
import type { Clock } from '../../infra/clock.ts'
import type { Arrived } from '../language/event-place.ts'

/** By partition: every event below is in the store, and nothing below it will change. */
export type ReadArrived = () => Promise<Arrived>

const FRESH_MS = 50

/** Many who ask at once share one look. */
export function shareArrived(read: ReadArrived, clock: Clock): ReadArrived {
  let shared: Promise<Arrived> | undefined
  let untilMs = 0
  return () => {
    const nowMs = clock.elapsedMs()
    if (shared !== undefined && nowMs < untilMs) return shared
    const looked = read()
    looked.catch(() => {
      shared = undefined
    })
    shared = looked
    untilMs = nowMs + FRESH_MS
    return looked
  }
}

/** A vector of another length comes from a time with fewer partitions. */
export function pad(arrived: Arrived, length: number): Arrived {
  return Array.from({ length }, (_, at) => arrived[at] ?? { offset: 0, index: 0 })
}
