import { describe, expect, it } from 'vitest'
import { Attempts, networkOf } from '../../../../infra/access/attempts.ts'
import { makeManualClock } from '../../../support/run/manual-clock.ts'

/** Tries one after the other, each after its wait; the waits. */
function tryMany(attempts: Attempts, clock: ReturnType<typeof makeManualClock>, count: number) {
  return Array.from({ length: count }, () => {
    const waitMs = attempts.begin('admin', '10.0.0.1')
    if (waitMs !== 'refused') clock.advance(waitMs)
    return waitMs
  })
}

describe('attempts to sign in', () => {
  it('leaves the first four alone, then makes each wait longer, up to 4 s', () => {
    const clock = makeManualClock()
    const waits = tryMany(new Attempts(clock), clock, 12)
    expect(waits).toEqual([0, 0, 0, 0, 250, 500, 1000, 2000, 4000, 4000, 4000, 4000])
  })

  it('never locks out: a wait has an end, whatever came before', () => {
    const clock = makeManualClock()
    const waits = tryMany(new Attempts(clock), clock, 1000)
    expect(Math.max(...waits.map(Number))).toBe(4000)
  })

  it('refuses those that would queue up behind the wait', () => {
    const clock = makeManualClock()
    const attempts = new Attempts(clock)
    tryMany(attempts, clock, 12)
    const waits = Array.from({ length: 5 }, () => attempts.begin('ADMIN', '10.0.0.1'))
    expect(waits).toEqual([4000, 8000, 'refused', 'refused', 'refused'])
  })

  it('counts all spellings by which a user is found as one name', () => {
    const attempts = new Attempts(makeManualClock())
    const decomposed = 'Zoe\u0308'
    const names = ['zoë', 'ZOË ', ' zoë', `\t${decomposed}\n`, `${' '.repeat(300)}zoë`]
    expect(names.map((name) => attempts.begin(name, '10.0.0.1'))).toEqual([0, 0, 0, 0, 250])
    attempts.succeed(decomposed, '10.0.0.1')
    expect(attempts.begin(' Zoë ', '10.0.0.1')).toBe(0)
  })

  it('does not slow the same name from elsewhere, nor another name from there', () => {
    const clock = makeManualClock()
    const attempts = new Attempts(clock)
    tryMany(attempts, clock, 20)
    expect(attempts.begin('admin', '10.0.0.2')).toBe(0)
    expect(attempts.begin('other', '10.0.0.1')).toBe(0)
  })

  it('forgets after the right password, and after a quarter of an hour', () => {
    const clock = makeManualClock()
    const attempts = new Attempts(clock)
    tryMany(attempts, clock, 20)
    attempts.succeed('Admin', '10.0.0.1')
    expect(attempts.begin('admin', '10.0.0.1')).toBe(0)
    tryMany(attempts, clock, 20)
    clock.advance(16 * 60_000)
    expect(attempts.begin('admin', '10.0.0.1')).toBe(0)
  })

  it('holds a bounded number of pairs', () => {
    const clock = makeManualClock()
    const attempts = new Attempts(clock)
    tryMany(attempts, clock, 20)
    for (let index = 0; index < 10_000; index += 1) attempts.begin(`user ${index}`, '10.0.0.9')
    expect(attempts.begin('admin', '10.0.0.1')).toBe(0)
  })
})

describe('where attempts come from', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1', '::ffff:10.0.0.1'],
    ['2001:DB8:0:7:1:2:3:4', '2001:db8:0:7'],
    ['2001:0db8:0000:0007::1', '2001:db8:0:7'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::', 'fe80:0:0:0'],
    ['', ''],
  ])('%s counts as %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})
