import { expect, it } from 'vitest'
import { Backoff } from '../../../../infra/supervisor/backoff.ts'

it('starts a process again at once, then after waits that double to five seconds, from the beginning after a long life', () => {
  const backoff = new Backoff()
  const waits = Array.from({ length: 8 }, () => backoff.next(100))
  expect(waits).toEqual([0, 200, 400, 800, 1600, 3200, 5000, 5000])
  expect(backoff.next(29_999)).toBe(5000)
  expect(backoff.next(30_000)).toBe(0)
  expect(backoff.next(0)).toBe(200)
})
