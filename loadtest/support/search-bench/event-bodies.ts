// The events of the search benchmark: those of every benchmark, spread over 50 logs and one day, a
// rare word in few of them. Product and peer are sent the very same bodies.
import { makeEvents } from '../events.ts'

const LOGS = 50
const LINES = 2000
const DAY_MS = 86_400_000
const SEED = 20_261_121
/** One event in so many holds the rare word. */
export const RARE_EVERY = 200_000
export const RARE_WORD = 'haystack'

export type EventSpread = {
  readonly events: number
  /** Time of the first event; the last one's is less than a day later. */
  readonly startMs: number
}

export type BodySource = {
  /** NDJSON bodies one after the other, each of one log; undefined at the end. */
  next(): Buffer | undefined
}

/** Neighbours in time lie in different logs, as they do in life: 50 bodies span the same stretch of
 *  time. */
export function makeBodySource({ events, startMs }: EventSpread): BodySource {
  const generator = makeEvents(SEED, startMs, DAY_MS / events)
  let made = 0
  let ready: Buffer[] = []
  const fill = () => {
    const lines = Array.from({ length: LOGS }, () => '')
    const stop = Math.min(events, made + LOGS * LINES)
    for (; made < stop; made += 1) {
      const log = made % LOGS
      const note = made % RARE_EVERY === 17 ? `,"note":"needle in a ${RARE_WORD}"` : ''
      const name = `app-${String(log).padStart(2, '0')}`
      lines[log] += `${generator.next().slice(0, -1)},"productName":"${name}"${note}}\n`
    }
    ready = lines.filter((text) => text !== '').map((text) => Buffer.from(text))
  }
  return {
    next() {
      if (ready.length === 0 && made < events) fill()
      return ready.shift()
    },
  }
}

/** The identifier of one event in the middle, as a user pastes it. */
export function findTraceId(spread: EventSpread): string {
  const generator = makeEvents(SEED, spread.startMs, DAY_MS / spread.events)
  const wanted = Math.floor(spread.events / 2)
  let line = ''
  for (let number = 0; number <= wanted; number += 1) line = generator.next()
  return /"trace_id":"([0-9a-f]+)"/.exec(line)?.[1] ?? ''
}
