import { expect, test } from 'vitest'
import { remainingMs } from '../../../../ingest/writer/pace.ts'

test('a few events after a pause are not kept waiting', () => {
  expect(remainingMs(1, Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(0)
})

test('light batches follow one another at 200 ms, heavy ones at 700 ms', () => {
  expect(remainingMs(10, 150)).toBe(50)
  expect(remainingMs(10, 250)).toBeLessThanOrEqual(0)
  expect(remainingMs(20_000, 250)).toBe(450)
  expect(remainingMs(20_000, 700)).toBeLessThanOrEqual(0)
})
