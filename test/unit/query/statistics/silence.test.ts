// Twelve weeks of sources with gaps put in, looked at each quarter of an hour: what is found, and
// what is told falsely.
import { expect, it } from 'vitest'
import { isSilent, learnCadence, type Span } from '../../../../query/statistics/silence/cadence.ts'
import { series } from '../../../support/run/tier.ts'
import { makeRandom } from '../../../support/series/random.ts'
import { BEGIN, makeSources, type Source } from '../../../support/series/sources.ts'

const DAY = 96
const MONTHS = (12 * 7) / 30
const SEEDS = [1, 2].slice(0, series(1, 2))

it('tells nearly every gap, and nearly nothing else', () => {
  const measured = SEEDS.flatMap((seed) => makeSources(makeRandom(seed)).map(watch))
  const of = (key: 'gaps' | 'found' | 'isFalse') => measured.reduce((sum, it) => sum + it[key], 0)
  const perMonth = of('isFalse') / measured.length / MONTHS
  const worst = measured.reduce((most, it) => (it.isFalse > most.isFalse ? it : most))
  console.log(
    `${measured.length} sources: found ${of('found')} of ${of('gaps')} gaps, ${perMonth.toFixed(2)} false alarms a source and month; most at "${worst.name}": ${(worst.isFalse / MONTHS).toFixed(2)}`,
  )
  expect(of('found') / of('gaps')).toBeGreaterThanOrEqual(0.95)
  expect(perMonth).toBeLessThanOrEqual(0.3)
  // The published counts have holes of an hour or two themselves.
  expect(worst.isFalse / MONTHS).toBeLessThanOrEqual(2)
})

/** As the job does: the habit is learned once a day. */
function watch({ name, counts, gaps }: Source) {
  const quarters: number[] = []
  const events: number[] = []
  const outages: Span[] = []
  const seen = { quarters, events, outages }
  const found = new Set<number>()
  const delays: number[] = []
  let isFalse = 0
  let told: number | undefined
  let cadence = learnCadence(seen, BEGIN)
  counts.forEach((count, at) => {
    const now = BEGIN + at
    if (at % DAY === 0) cadence = learnCadence(seen, now)
    const last = seen.quarters.at(-1)
    if (
      told === undefined &&
      cadence !== undefined &&
      last !== undefined &&
      isSilent(cadence, last, now)
    ) {
      told = last + 1
      const gap = gaps.findIndex(({ from, to }) => now > BEGIN + from && last < BEGIN + to)
      if (gap < 0) isFalse += 1
      else found.add(gap)
      if (gap >= 0) delays.push((at - (gaps[gap]?.from ?? 0)) / 4)
    }
    if (count === 0) return
    if (told !== undefined) seen.outages.push({ from: told, to: now })
    told = undefined
    seen.quarters.push(now)
    seen.events.push(count)
  })
  const mean = delays.reduce((sum, it) => sum + it, 0) / delays.length
  return { name, gaps: gaps.length, found: found.size, isFalse, meanHours: Number(mean.toFixed(1)) }
}
