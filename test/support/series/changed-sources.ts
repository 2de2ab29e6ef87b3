// Sources of events over twelve weeks with changes put in: for some hours more come than usual, or
// fewer. What nobody could see is not put in: a change makes a difference of many events.
import type { Random } from './random.ts'
import { makeShapes, poisson, type Shape, WEEK } from './sources.ts'

const WEEKS = 12
const HOUR = 4
const CHANGES = 6
/** Events that a change makes more or fewer, in spreads of a count by chance. */
const LEAST_SPREADS = 14
const BEYOND = 1.3
const KINDS = [
  { factor: 6, hours: 1 },
  { factor: 4, hours: 3 },
  { factor: 2.5, hours: 8 },
  { factor: 0.1, hours: 6 },
  { factor: 0.3, hours: 12 },
]

export type Change = { readonly from: number; readonly to: number; readonly factor: number }

export type ChangedSource = {
  readonly name: string
  /** By hour since `BEGIN`. */
  readonly counts: readonly number[]
  readonly changes: readonly Change[]
}

export function makeChangedSources(random: Random): readonly ChangedSource[] {
  return makeShapes(random).map((shape) => makeSource(shape, random))
}

function makeSource({ name, rate, cluster = 1 }: Shape, random: Random): ChangedSource {
  const hours = (WEEKS * WEEK) / HOUR
  const hourly = Array.from({ length: hours }, (_, hour) =>
    [0, 1, 2, 3].reduce((sum, at) => sum + rate(hour * HOUR + at), 0),
  )
  const part = Math.floor((hours - 3 * 168) / CHANGES)
  const changes: Change[] = []
  for (let number = 0; number < CHANGES; number += 1) {
    const { factor, hours: length } = KINDS[Math.floor(random.between(0, KINDS.length))] ?? {
      ...{ factor: 4, hours: 3 },
    }
    const begin = 3 * 168 + number * part
    // The first place from a random one on where it can be seen.
    const first = begin + Math.floor(random.between(0, part / 2))
    for (let from = first; from + length < begin + part; from += 1) {
      if (!isSeen(hourly, { from, to: from + length, factor }, cluster)) continue
      changes.push({ from, to: from + length, factor })
      break
    }
  }
  const counts = hourly.map((expected, hour) => {
    const change = changes.find(({ from, to }) => hour >= from && hour < to)
    return poisson((expected * (change?.factor ?? 1)) / cluster, random) * cluster
  })
  return { name, counts, changes }
}

/** Beyond what chance makes, and beyond what ever came at that time of a day. */
function isSeen(hourly: readonly number[], { from, to, factor }: Change, cluster: number): boolean {
  const sumFrom = (at: number) => hourly.slice(at, at + to - from).reduce((sum, it) => sum + it, 0)
  const usual = sumFrom(from)
  if (usual === 0) return false
  if (Math.abs(factor - 1) * usual < LEAST_SPREADS * Math.sqrt(usual * cluster)) return false
  const ever: number[] = []
  for (let at = from % 24; at + to - from <= hourly.length; at += 24) ever.push(sumFrom(at))
  const changed = usual * factor
  return factor > 1 ? changed > BEYOND * Math.max(...ever) : changed * BEYOND < Math.min(...ever)
}
