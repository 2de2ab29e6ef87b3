import { describe, expect, it } from 'vitest'
import { fenceSettings } from '../../../../infra/store/server/settings.ts'

describe('the memory of a statement', () => {
  const memoryOf = (isInsert: boolean, maxQueryMemoryBytes: number, asked?: number) =>
    fenceSettings(
      new Map(asked === undefined ? [] : [['max_memory_usage', asked]]),
      { maxQueryMemoryBytes },
      { isInsert, comment: '', timeoutS: 1 },
    ).get('max_memory_usage')

  it('is fenced for searches, and lower when less is asked for', () => {
    expect(memoryOf(false, 50_000_000)).toBe(50_000_000)
    expect(memoryOf(false, 50_000_000, 900_000_000)).toBe(50_000_000)
    expect(memoryOf(false, 50_000_000, 10_000_000)).toBe(10_000_000)
  })

  it('is enough for inserts however low the limit of searches is', () => {
    expect(memoryOf(true, 50_000_000)).toBe(400_000_000)
    expect(memoryOf(true, 600_000_000)).toBe(600_000_000)
  })
})
