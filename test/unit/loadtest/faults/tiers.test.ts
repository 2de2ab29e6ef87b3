import { describe, expect, it } from 'vitest'
import { type Fault, laneOf } from '../../../../loadtest/faults/fault-list.ts'
import { compareResults, type Outcome, type Result } from '../../../../loadtest/faults/results.ts'
import { decideBatch, makeBatches } from '../../../../loadtest/faults/tiers.ts'

const LANES = ['infra', 'query', 'portal', 'ingest', 'roles']
const FAULTS: readonly Fault[] = Array.from({ length: 12 }, (_, at) => ({
  number: at + 1,
  kind: 'await',
  file: `${LANES[Math.floor(at / 3)]}/${at}.ts`,
  line: 1,
  before: 'a',
  after: 'b',
  above: '',
  below: '',
  occurrence: 1,
}))
const BATCH = FAULTS.slice(0, 5)

describe('batches', () => {
  it('hold every fault once, of lanes that differ', () => {
    const batches = makeBatches(FAULTS, 5)
    expect(batches.map((batch) => batch.length)).toEqual([4, 4, 4])
    expect(new Set(batches.flat()).size).toBe(12)
    for (const batch of batches) expect(new Set(batch.map(laneOf)).size).toBe(4)
    expect(makeBatches([], 5)).toEqual([])
  })
})

describe('a batch', () => {
  /** `loud` fail a test of their own, `quiet` the command alone. */
  async function decide(loud: readonly number[], quiet: readonly number[]) {
    const runs: number[][] = []
    const verdicts = new Map<number, string>()
    const attempt = async (batch: readonly Fault[]) => {
      const numbers = batch.map(({ number }) => number)
      runs.push(numbers)
      const found = numbers.filter((n) => loud.includes(n) || (quiet.includes(n) && !numbers[1]))
      const hasFailed = numbers.some((n) => loud.includes(n) || quiet.includes(n))
      return { hasFailed, detected: new Map(found.map((n) => [n, 'a test'])) }
    }
    await decideBatch(BATCH, attempt, ({ number }, { outcome }) => verdicts.set(number, outcome))
    const detected = [...verdicts].flatMap(([n, outcome]) => (outcome === 'detected' ? n : []))
    return { runs, decided: verdicts.size, detected: detected.sort() }
  }

  it('survives as a whole in one run', async () => {
    expect(await decide([], [])).toEqual({ runs: [[1, 2, 3, 4, 5]], decided: 5, detected: [] })
  })

  it('runs again without what a test of its own detects', async () => {
    const runs = [
      [1, 2, 3, 4, 5],
      [1, 3, 5],
    ]
    expect(await decide([2, 4], [])).toEqual({ runs, decided: 5, detected: [2, 4] })
  })

  it('is halved until the fault is alone', async () => {
    const { runs, decided, detected } = await decide([], [3])
    expect({ runs: runs.slice(0, 4), decided, detected }).toEqual({
      runs: [[1, 2, 3, 4, 5], [1, 2, 3], [1, 2], [3]],
      decided: 5,
      detected: [3],
    })
  })

  it('leaves undecided what fails without a test', async () => {
    const outcomes: Outcome[] = []
    const attempt = async () => ({ hasFailed: true, detected: new Map<number, string>() })
    await decideBatch(BATCH.slice(0, 2), attempt, (_, { outcome }) => outcomes.push(outcome))
    expect(outcomes).toEqual(['undecided', 'undecided'])
  })
})

describe('a comparison', () => {
  const results = (outcomes: Readonly<Record<number, Outcome>>): Result[] =>
    Object.entries(outcomes).map(([number, outcome]) => {
      const other = { name: '', commit: '', tier: 'related', seconds: 1 }
      return { number: Number(number), outcome, ...other }
    })

  it('takes a detection of any run, and names what is lost', () => {
    const older = results({ 1: 'detected', 2: 'detected', 3: 'survived', 4: 'detected' })
    const newer = [...results({ 1: 'survived', 2: 'undecided', 3: 'detected' })]
    const { table, lost, keptShare } = compareResults(FAULTS.slice(0, 4), older, [
      ...newer,
      ...results({ 1: 'detected' }),
      ...results({ 1: 'survived' }),
    ])
    expect(lost).toEqual([2, 4])
    expect(keptShare).toBeCloseTo(1 / 3)
    expect(table).toContain('| 4 await query/3.ts:1 | detected | no result |')
  })
})
