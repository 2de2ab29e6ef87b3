import { describe, expect, it } from 'vitest'
import {
  applyFault,
  describeFaults,
  laneOf,
  pickFaults,
} from '../../../../loadtest/faults/fault-list.ts'
import { type Candidate, KINDS } from '../../../../loadtest/faults/find-faults.ts'

const LANES = ['infra', 'query', 'portal']
const CANDIDATES: readonly Candidate[] = KINDS.flatMap((kind) =>
  Array.from({ length: 30 }, (_, at) => {
    const file = `${LANES[at % LANES.length]}/${at}.ts`
    return { kind, file, line: 1, before: `${kind} ${at}`, after: '' }
  }),
)

function countBy<Item>(items: readonly Item[], key: (item: Item) => string): number[] {
  const keys = items.map(key)
  return [...new Set(keys)].map((one) => keys.filter((other) => other === one).length)
}

describe('the pick', () => {
  const picked = pickFaults(CANDIDATES, { seed: 1, count: 18 })

  it('has as many of each kind and lane, and one of a file', () => {
    expect(countBy(picked, ({ kind }) => kind)).toEqual([3, 3, 3, 3, 3, 3])
    expect(countBy(picked, laneOf)).toEqual([6, 6, 6])
    expect(new Set(picked.map(({ file }) => file)).size).toBe(18)
  })

  it('is the same for the same seed, and another one for another', () => {
    expect(pickFaults(CANDIDATES, { seed: 1, count: 18 })).toEqual(picked)
    expect(pickFaults(CANDIDATES, { seed: 2, count: 18 })).not.toEqual(picked)
  })

  it('fails when there are too few', () => {
    expect(() => pickFaults(CANDIDATES, { seed: 1, count: 31 })).toThrow('only 30 faults')
  })
})

describe('a fault', () => {
  const TEXT = 'a()\nif (x)\n  b()\nif (y)\n  b()\n'
  const candidate = { file: 'query/x.ts', line: 5, before: '  b()', after: '  c()' }
  const faultOf = (text: string) =>
    describeFaults([{ ...candidate, kind: 'await' }], new Map([['query/x.ts', text]]))
  const [fault] = faultOf(TEXT)
  const apply = (file: string, text: string) => fault && applyFault(fault, new Map([[file, text]]))

  it.each([
    ['where it was', TEXT, 'a()\nif (x)\n  b()\nif (y)\n  c()\n'],
    ['below new lines', `\n  b()\n${TEXT}`, '\n  b()\na()\nif (x)\n  b()\nif (y)\n  c()\n'],
    ['between other neighbors, as the second', '  b()\n  b()\n', '  b()\n  c()\n'],
  ])('applies %s', (_, text, faulty) => {
    expect(apply('query/x.ts', text)).toEqual({ file: 'query/x.ts', text: faulty })
  })

  it('applies in a moved file between the same neighbors alone', () => {
    expect(apply('query/y.ts', TEXT)?.file).toBe('query/y.ts')
    expect(apply('query/y.ts', '  b()\n  b()\n')).toBeUndefined()
  })

  it('does not apply to a line that is gone', () => {
    expect(apply('query/x.ts', 'a()\n')).toBeUndefined()
  })
})
