// What each side by side run needs, and the lines that they print on the way.
import { makeBodies, makeEvents } from '../events.ts'
import type { Place } from './place.ts'
import type { Stretch } from './send.ts'

const LINES = 10_000
export const SINGLE_CONNECTIONS = 96
const SEED = 20_261_121
const SINGLE_BODIES = 5000

export type Plan = {
  readonly directory: string
  readonly events: number
  readonly rounds: number
  readonly singleMs: number
}

export type BatchRound = {
  readonly seed: number
  readonly events: number
  readonly bodies: Buffer[]
}

/** Other events each round, about as many as asked for in whole bodies; the same for all places. */
export function makeRound(number: number, about: number): BatchRound {
  const seed = SEED + number
  const events = Math.max(LINES, Math.round(about / LINES) * LINES)
  return { seed, events, bodies: makeBodies(makeEvents(seed), events, LINES) }
}

export function makeSingles(): Buffer[] {
  const events = makeEvents(SEED - 1)
  return Array.from({ length: SINGLE_BODIES }, () => Buffer.from(events.next()))
}

/** Who was first last time is last now. */
export function inTurns<T>(places: readonly T[], round: number): T[] {
  return round % 2 === 0 ? [...places] : [...places].reverse()
}

export function printStretch(place: Place, kind: string, stretch: Stretch): void {
  const { acknowledged, searchable, cpu, p50Ms, p99Ms, peakMemoryBytes } = stretch
  const found = Number.isNaN(searchable) ? '' : `, searchable ${searchable.toFixed(0)}`
  const roles = [...cpu]
    .filter(([, micros]) => micros >= 0.05)
    .sort((a, b) => b[1] - a[1])
    .map(([role, micros]) => `${role} ${micros.toFixed(micros < 10 ? 2 : 0)}`)
    .join(' ')
  console.log(
    `${place.name.padEnd(13)}${kind.padEnd(8)} ${acknowledged.toFixed(0)} events/s${found}; p50 ${p50Ms.toFixed(1)} p99 ${p99Ms.toFixed(1)} ms; CPU µs an event ${roles}; ${(peakMemoryBytes / 2 ** 20).toFixed(0)} MiB`,
  )
}

export function cpuOf(stretch: Stretch): number {
  return [...stretch.cpu.values()].reduce((sum, micros) => sum + micros, 0)
}

/** Lines about what is wrong; true when there are none. */
export function printWrong(wrong: readonly string[]): boolean {
  for (const line of wrong) console.error(`WRONG: ${line}`)
  return wrong.length === 0
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
