import { describe, expect, it } from 'vitest'
import {
  hashPassword,
  NOBODYS_HASH,
  verifyPassword,
} from '../../../infra/metastore/users/password.ts'
import { hashCheaply } from '../../support/database/cheap-hash.ts'
import { testClock } from '../../support/run/test-clock.ts'

describe('passwords', () => {
  it('accepts the password it hashed and no other', async () => {
    const hash = await hashPassword('grüße an alle!', testClock)
    expect(await verifyPassword('grüße an alle!', hash)).toBe(true)
    expect(await verifyPassword('grüße an Alle!', hash)).toBe(false)
    expect(hash).not.toContain('alle!')
  })

  it('takes a letter composed or decomposed', async () => {
    const hash = await hashPassword('gr\u00fc\u00dfe', testClock)
    expect(await verifyPassword('gru\u0308\u00dfe', hash)).toBe(true)
  })

  it('salts: the same password gives another hash each time', async () => {
    const [one, other] = await Promise.all([
      hashPassword('same', testClock),
      hashPassword('same', testClock),
    ])
    expect(one).not.toBe(other)
  })

  it('refuses everything for a text that is no hash', async () => {
    for (const hash of ['', 'scrypt', 'scrypt:15:8:3::', 'plain:x', 'scrypt:99:8:3:AAAA'])
      expect(await verifyPassword('', hash)).toBe(false)
    expect(await verifyPassword('', NOBODYS_HASH)).toBe(false)
  })
})

it('runs a hash of a known source before all usual ones that wait', async () => {
  const cheap = hashCheaply('right')
  let ended = 0
  const usual = Array.from({ length: 12 }, async () => {
    await verifyPassword('wrong', NOBODYS_HASH)
    ended += 1
  })
  expect(await verifyPassword('right', cheap, 'first')).toBe(true)
  // Two were running, and one of those that waited may run next to it.
  expect(ended).toBeLessThanOrEqual(3)
  await Promise.all(usual)
})
