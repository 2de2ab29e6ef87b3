import { describe, expect, it } from 'vitest'
import { fenceSettings } from '../../../../infra/store/server/request/settings.ts'

describe('the memory of a statement', () => {
  const memoryOf = (
    isInsert: boolean,
    maxQueryMemoryBytes: number,
    asked?: number,
    others: Record<string, number> = {},
  ) =>
    fenceSettings(
      new Map(
        Object.entries({ ...others, ...(asked === undefined ? {} : { max_memory_usage: asked }) }),
      ),
      { maxQueryMemoryBytes, unpackedBytes: 7_000_000, keptFreeBytes: 1 },
      { isInsert, comment: '', timeoutS: 1 },
    ).get('max_memory_usage')

  it('is fenced for searches, and lower when less is asked for', () => {
    expect(memoryOf(false, 50_000_000)).toBe(50_000_000)
    expect(memoryOf(false, 50_000_000, 900_000_000)).toBe(50_000_000)
    expect(memoryOf(false, 50_000_000, 10_000_000)).toBe(10_000_000)
  })

  it('has room for what the search leaves in the cache of unpacked blocks', () => {
    const caching = { use_uncompressed_cache: 1 }
    expect(memoryOf(false, 50_000_000, undefined, caching)).toBe(57_000_000)
    expect(memoryOf(false, 50_000_000, 10_000_000, caching)).toBe(17_000_000)
    expect(memoryOf(false, 50_000_000, 200_000, caching)).toBe(400_000)
    expect(memoryOf(false, 50_000_000, 10_000_000, { use_uncompressed_cache: 0 })).toBe(10_000_000)
  })

  it('is enough for inserts however low the limit of searches is', () => {
    expect(memoryOf(true, 50_000_000)).toBe(400_000_000)
    expect(memoryOf(true, 600_000_000)).toBe(600_000_000)
  })
})
