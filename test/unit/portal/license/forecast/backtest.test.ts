import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addScores, backtest, ratios, type Score } from '../../../../support/series/backtest.ts'
import { type Family, HELD_OUT, makeSeries, TUNED } from '../../../../support/series/families.ts'

const FIXTURES = join(import.meta.dirname, '../../../../fixtures/series')
const REAL = ['wikipedia-r', 'wikipedia-peyton-manning', 'melbourne-pedestrians', 'new-york-taxi']
const HORIZONS = [1, 7, 14, 30]
/** The forecast was tuned on seeds below 200. */
const FIRST_SEED = 5000
const SEEDS = 8
const CUTS = [14, 18, 25, 40, 61, 90, 130, 180]

const percent = (share: number) => `${(100 * share).toFixed(1)} %`

function scoreFamily(family: Family): Score {
  return addScores(
    Array.from({ length: SEEDS }, (_, seed) => makeSeries(family, FIRST_SEED + seed, 215)).flatMap(
      (series) => HORIZONS.map((horizon) => backtest(series, { cuts: CUTS, horizon })),
    ),
  )
}

function scoreFile(name: string): Score {
  const lines = readFileSync(join(FIXTURES, `${name}.txt`), 'utf8')
    .trim()
    .split('\n')
  const series = lines.map((line) => (line === '-' ? null : Number(line)))
  const scores: Score[] = []
  // As if the customer had come on other days.
  for (let from = 0; from + 60 <= series.length; from += 53)
    for (const horizon of HORIZONS)
      scores.push(backtest(series.slice(from), { cuts: CUTS, horizon }))
  return addScores(scores)
}

function print(title: string, rows: ReadonlyMap<string, Score>): void {
  const lines = [...rows, ['all', addScores([...rows.values()])] as const].map(([name, score]) => {
    const { day, sum, daysInBand, sumsInBand } = ratios(score)
    const error = score.dayError / score.forecasts
    const naive = score.naiveDayError / score.forecasts
    return [
      name.padEnd(28),
      `error ${percent(error)}, last week again ${percent(naive)} (${day.toFixed(2)}; sums ${sum.toFixed(2)})`,
      `in the band: days ${percent(daysInBand)}, sums ${percent(sumsInBand)}`,
      `${score.forecasts} forecasts`,
    ].join('  ')
  })
  console.log([title, ...lines].join('\n'))
}

describe.each([
  ['families it was tuned on, other seeds', new Map(TUNED.map((it) => [it.name, scoreFamily(it)]))],
  ['families it was not tuned on', new Map(HELD_OUT.map((it) => [it.name, scoreFamily(it)]))],
  ['published series', new Map(REAL.map((name) => [name, scoreFile(name)]))],
])('forecasts of %s', (title, scores) => {
  const total = ratios(addScores([...scores.values()]))

  it('are nearer than last week again, day by day and in sums', () => {
    print(title, scores)
    expect(total.day).toBeLessThan(0.95)
    expect(total.sum).toBeLessThan(1)
  })

  it('have a band that holds 70 to 90 % of outcomes', () => {
    expect(total.daysInBand).toBeGreaterThan(0.7)
    expect(total.daysInBand).toBeLessThan(0.9)
    expect(total.sumsInBand).toBeGreaterThan(0.7)
    expect(total.sumsInBand).toBeLessThan(0.9)
  })

  it.each([...scores.keys()])('are sane by themselves: %s', (name) => {
    const score = scores.get(name)
    expect(score?.forecasts).toBeGreaterThan(50)
    const { day, daysInBand, sumsInBand } = ratios(score ?? addScores([]))
    expect(day).toBeLessThan(1.06)
    expect(Math.min(daysInBand, sumsInBand)).toBeGreaterThan(0.6)
    expect(Math.max(daysInBand, sumsInBand)).toBeLessThan(0.97)
  })
})

/** Known days, from and to. */
const HISTORIES: readonly (readonly [name: string, cuts: readonly number[]])[] = [
  ['14 and 15 days', [14, 15]],
  ['16 to 19 days', [16, 17, 18, 19]],
  ['20 to 29 days', [22, 25, 29]],
  ['30 to 59 days', [30, 40, 50]],
  ['60 days and more', [61, 90, 130, 180]],
]
const SPANS = [1, 3, 7, 14, 30]

describe.each(HISTORIES)('the band after %s', (name, cuts) => {
  it.each([
    { families: 'families it was tuned on, other seeds', list: TUNED },
    { families: 'families it was not tuned on', list: HELD_OUT },
  ])('holds 75 to 90 percent of the sums of $families', ({ families, list }) => {
    const scores = list.flatMap((family) =>
      Array.from({ length: SEEDS }, (_, seed) =>
        makeSeries(family, FIRST_SEED + seed, 215),
      ).flatMap((series) => SPANS.map((horizon) => backtest(series, { cuts, horizon }))),
    )
    const { sumsInBand } = ratios(addScores(scores))
    console.log(`after ${name}, ${families}: ${percent(sumsInBand)} of sums in the band`)
    expect(sumsInBand).toBeGreaterThan(0.75)
    expect(sumsInBand).toBeLessThan(0.9)
  })
})
