import { expect, test } from 'vitest'
import { findWarnings } from '../../../ingest/retention/find-warnings.ts'

const FACTS = {
  ...{ bytes: 0, maxBytes: 100, isFull: false, isArchiveFailing: false, freeShare: 0.5 },
}
const after = (bytes: readonly number[]) => {
  let before = findWarnings({ ...FACTS, bytes: 0 }, new Set())
  return bytes.map((one) => {
    before = findWarnings({ ...FACTS, bytes: one }, before)
    return before.has('nearly-full')
  })
}

test('a limit that is nearly reached is one crossing until it is well below', () => {
  expect(after([89, 90, 95, 85, 99, 80, 79, 89, 90])).toEqual([
    ...[false, true, true, true, true, true, false, false, true],
  ])
  expect([...findWarnings({ ...FACTS, maxBytes: null, bytes: 1e12 }, new Set())]).toEqual([])
})

test('says what else somebody must know', () => {
  const all = findWarnings(
    { ...FACTS, isFull: true, isArchiveFailing: true, freeShare: 0.09 },
    new Set(),
  )
  expect([...all]).toEqual(['full', 'archive', 'disk'])
  expect(findWarnings({ ...FACTS, freeShare: 0.14 }, new Set(['disk'])).has('disk')).toBe(true)
  expect(findWarnings({ ...FACTS, freeShare: 0.16 }, new Set(['disk'])).has('disk')).toBe(false)
  expect([...findWarnings({ ...FACTS, freeShare: undefined }, new Set())]).toEqual([])
})
