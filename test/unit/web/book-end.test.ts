import { describe, expect, it } from 'vitest'
import { endOf } from '../../../web/workspace/operate/book-end.ts'

const book = (effectiveFrom: string, effectiveTo: string | null = null) => ({
  effectiveFrom,
  effectiveTo,
})

describe('endOf', () => {
  const old = book('2026-08-14')
  const now = book('2026-11-08')

  it('is the first day of the next version, where the book itself tells none', () => {
    expect(endOf(old, [book('2027-01-01'), now, old])).toBe('2026-11-08')
    expect(endOf(now, [now, old])).toBeUndefined()
  })

  it('is its own last day, where that comes first', () => {
    expect(endOf(book('2026-08-14', '2026-10-01'), [now, old])).toBe('2026-10-01')
    expect(endOf(book('2026-08-14', '2026-12-01'), [now, old])).toBe('2026-11-08')
  })
})
