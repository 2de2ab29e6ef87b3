import { describe, expect, it } from 'vitest'
import { VerifiedCredentials } from '../../../../infra/access/verified-credentials.ts'
import { makeManualClock } from '../../../support/run/manual-clock.ts'

const user = { id: 7, version: 3 }

describe('verified credentials', () => {
  it('are remembered for 60 s from the check, however often they are used', () => {
    const clock = makeManualClock()
    const verified = new VerifiedCredentials(clock)
    const key = verified.keyOf({ name: 'a', password: 'b' })
    expect(verified.has(key, user)).toBe(false)
    verified.remember(key, user)
    clock.advance(59_999)
    expect(verified.has(key, user)).toBe(true)
    clock.advance(1)
    expect(verified.has(key, user)).toBe(false)
  })

  it('are forgotten with a new version of the user, for good', () => {
    const verified = new VerifiedCredentials(makeManualClock())
    const key = verified.keyOf({ name: 'a', password: 'b' })
    verified.remember(key, user)
    expect(verified.has(key, { id: 7, version: 4 })).toBe(false)
    expect(verified.has(key, user)).toBe(false)
  })

  it('are not those of another user who took the name', () => {
    const verified = new VerifiedCredentials(makeManualClock())
    const key = verified.keyOf({ name: 'a', password: 'b' })
    verified.remember(key, user)
    expect(verified.has(key, { id: 8, version: 3 })).toBe(false)
  })

  it('have keys that tell name and password apart and differ between processes', () => {
    const verified = new VerifiedCredentials(makeManualClock())
    const keys = [
      verified.keyOf({ name: 'a', password: 'b:c' }),
      verified.keyOf({ name: 'a:b', password: 'c' }),
      verified.keyOf({ name: 'a', password: 'b:c ' }),
      new VerifiedCredentials(makeManualClock()).keyOf({ name: 'a', password: 'b:c' }),
    ]
    expect(new Set(keys).size).toBe(4)
    for (const key of keys) expect(key).not.toContain('b:c')
  })

  it('are bounded in number, the oldest going first', () => {
    const verified = new VerifiedCredentials(makeManualClock())
    for (let index = 0; index <= 10_000; index += 1) verified.remember(`key ${index}`, user)
    expect(verified.has('key 0', user)).toBe(false)
    expect(verified.has('key 1', user)).toBe(true)
    expect(verified.has('key 10000', user)).toBe(true)
  })
})
