import { expect, test } from 'vitest'
import { remainingMs } from '../../../../ingest/writer/batch/pace.ts'

test('an event after a pause is not kept waiting', () => {
  expect(remainingMs(Number.POSITIVE_INFINITY, 500)).toBeLessThanOrEqual(0)
})

test('inserts take a quarter of the time', () => {
  expect(remainingMs(40, 35)).toBe(100)
  expect(remainingMs(140, 35)).toBeLessThanOrEqual(0)
})

test('quick inserts follow one another at 100 ms, slow ones at a second', () => {
  expect(remainingMs(90, 1)).toBe(10)
  expect(remainingMs(400, 5000)).toBe(600)
})
