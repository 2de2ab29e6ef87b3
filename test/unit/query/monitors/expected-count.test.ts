// Twelve weeks of sources with changes put in, looked at each hour by what came before it: what is
// found, and what is told falsely.
import { describe, expect, it } from 'vitest'
import { judgeHour, judgeHours } from '../../../../query/monitors/anomalies/expected-count.ts'
import { type ChangedSource, makeChangedSources } from '../../../support/series/changed-sources.ts'
import { makeRandom } from '../../../support/series/random.ts'
import { BEGIN } from '../../../support/series/sources.ts'

const WEEK = 168
const FIRST_HOUR = BEGIN / 4
const SEEDS = [1]
/** An alert closes when as many hours were usual. */
const CLOSES_AFTER = 3
/** What goes on from a change is no alarm of its own: sums over half a day still have it, and the
 *  level comes back. */
const AFTER = 30

describe('an unusual hour', () => {
  it('is found nearly always, and little else is told', () => {
    const measured = SEEDS.flatMap((seed) => makeChangedSources(makeRandom(seed)).map(watch))
    const of = (key: 'changes' | 'found' | 'falsely') =>
      measured.reduce((sum, it) => sum + it[key], 0)
    const perWeek = of('falsely') / measured.length / 10
    console.log(
      `${measured.length} sources: found ${of('found')} of ${of('changes')} changes, ${perWeek.toFixed(2)} false alarms a source and week`,
    )
    expect(of('changes')).toBeGreaterThan(80)
    expect(of('found') / of('changes')).toBeGreaterThanOrEqual(0.9)
    expect(perWeek).toBeLessThanOrEqual(1)
  })

  it('needs a habit, and is judged with a band around what is expected', () => {
    const steady = Array.from({ length: 3 * WEEK }, (_, hour) => 100 + (hour % 3))
    expect(judgeHour(steady.slice(0, WEEK), FIRST_HOUR)).toBeUndefined()
    expect(judgeHour([0, 0, 0], FIRST_HOUR)).toBeUndefined()
    const usual = judgeHour(steady, FIRST_HOUR)
    expect(usual).toMatchObject({ isOutside: false })
    expect(usual?.expected).toBeGreaterThan(90)
    expect(usual?.expected).toBeLessThan(110)
    expect(usual?.low).toBeLessThan(100)
    expect(usual?.high).toBeGreaterThan(102)
    for (const odd of [0, 20, 300])
      expect(judgeHour([...steady.slice(0, -1), odd], FIRST_HOUR)).toMatchObject({
        isOutside: true,
      })
  })

  it('is one in which too much comes in an hour that is quiet each week', () => {
    const office = Array.from({ length: 5 * WEEK }, (_, hour) =>
      hour % WEEK < 120 && hour % 24 >= 8 && hour % 24 < 18 ? 50 : 0,
    )
    const night = office.length - 24 * 6 + 3
    expect(judgeHours(office, FIRST_HOUR)[night]?.isOutside).toBe(false)
    office[night] = 50
    expect(judgeHours(office, FIRST_HOUR)[night]?.isOutside).toBe(true)
  })
})

function watch({ counts, changes }: ChangedSource) {
  const found = new Set<number>()
  let falsely = 0
  let lastOutside = Number.NEGATIVE_INFINITY
  judgeHours(counts, FIRST_HOUR).forEach((judged, at) => {
    if (judged?.isOutside !== true) return
    const change = changes.findIndex(({ from, to }) => at >= from && at < to + 6)
    const isAfter = changes.some(({ to }) => at >= to && at < to + AFTER)
    if (change >= 0) found.add(change)
    else if (!isAfter && at - lastOutside > CLOSES_AFTER) falsely += 1
    lastOutside = at
  })
  return { changes: changes.length, found: found.size, falsely }
}
