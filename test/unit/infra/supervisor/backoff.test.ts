import { expect, it } from 'vitest'
import { Backoff } from '../../../../infra/supervisor/backoff.ts'

it('starts a process that never came up again at once, then after waits that double to five seconds', () => {
  const backoff = new Backoff()
  const waits = Array.from({ length: 8 }, () => backoff.next(100, 'neverRan'))
  expect(waits).toEqual([0, 200, 400, 800, 1600, 3200, 5000, 5000])
})

it('keeps the users of a process that ran waiting for half a second at most, however often it is killed', () => {
  const backoff = new Backoff()
  const waits = Array.from({ length: 7 }, () => backoff.next(1000, 'ran'))
  expect(waits).toEqual([0, 50, 100, 200, 400, 500, 500])
  expect(backoff.next(100, 'neverRan')).toBe(1000)
  expect(backoff.next(1000, 'ran')).toBe(500)
})

it('begins again after thirty seconds of life', () => {
  const backoff = new Backoff()
  for (let i = 0; i < 8; i += 1) backoff.next(100, 'neverRan')
  expect(backoff.next(29_999, 'neverRan')).toBe(5000)
  expect(backoff.next(30_000, 'neverRan')).toBe(0)
  expect(backoff.next(0, 'neverRan')).toBe(200)
})
