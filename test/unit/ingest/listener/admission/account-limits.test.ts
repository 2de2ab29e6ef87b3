// What an account may send, on a clock of the test's own.
import { describe, expect, it } from 'vitest'
import { AccountLimits } from '../../../../../ingest/listener/admission/account-limits.ts'
import { isInBlock, parseBlock } from '../../../../../ingest/listener/admission/address-blocks.ts'
import { makeAccount } from '../../../../support/ingest/split-event.ts'

const DAY_MS = 86_400_000

function open(others = 0) {
  const time = { ms: 20_000 * DAY_MS }
  const clock = { nowMs: () => time.ms, elapsedMs: () => time.ms - 20_000 * DAY_MS }
  return { time, limits: new AccountLimits(clock, () => others) }
}

describe('the limits of an account', () => {
  it('let a request begin while something is left, and wait until it is there again', () => {
    const { time, limits } = open()
    const account = makeAccount({ maxEventsPerSecond: 100 })
    expect(limits.refusalOf(account)).toBeUndefined()
    limits.take(account, 250, 1)
    expect(limits.refusalOf(account)).toBe('listener.rate_limited')
    time.ms += 1400
    expect(limits.refusalOf(account)).toBe('listener.rate_limited')
    time.ms += 200
    expect(limits.refusalOf(account)).toBeUndefined()
  })

  it('count bytes a second and a day, of all listeners, and begin anew with the day', () => {
    const { time, limits } = open(600)
    const account = makeAccount({ maxBytesPerSecond: 500, maxBytesPerDay: 1000 })
    expect(limits.refusalOf(account)).toBeUndefined()
    limits.take(account, 1, 400)
    expect(limits.refusalOf(account)).toBe('listener.volume_reached')
    expect(limits.takeDayBytes()).toEqual([{ accountId: 1, day: 20_000, bytes: 400 }])
    expect(limits.refusalOf(account)).toBeUndefined()
    limits.giveBack([{ accountId: 1, day: 20_000, bytes: 400 }])
    expect(limits.refusalOf(account)).toBe('listener.volume_reached')
    time.ms += DAY_MS
    expect(limits.refusalOf(account)).toBeUndefined()
  })

  it('are none where none are set', () => {
    const { limits } = open(1e15)
    const account = makeAccount({ maxEventsPerSecond: 0, maxBytesPerDay: 0 })
    limits.take(account, 1e9, 1e12)
    expect(limits.refusalOf(account)).toBeUndefined()
    expect(limits.mayComeFrom(account, 'anywhere')).toBe(true)
  })
})

describe('a block of addresses', () => {
  it.each([
    ['10.1.0.0/16', '10.1.255.1', true],
    ['10.1.0.0/16', '10.2.0.1', false],
    ['10.1.2.3', '10.1.2.3', true],
    ['10.1.2.3', '::ffff:10.1.2.3', true],
    ['0.0.0.0/0', '255.1.1.1', true],
    ['0.0.0.0/0', '::1', false],
    ['2001:db8::/33', '2001:db8:7fff::1', true],
    ['2001:db8::/33', '2001:db8:8000::1', false],
    ['10.0.0.0/8', 'a host', false],
  ])('%s holds %s: %s', (block, address, isIn) => {
    const parsed = parseBlock(block)
    expect(parsed && isInBlock(address, parsed)).toBe(isIn)
  })

  it.each(['10.0.0.0/33', '10.0.0/8', '10.0.0.0/8/8', 'x', '::/129', '10.0.0.0/-1'])(
    '%s is none',
    (text) => expect(parseBlock(text)).toBeUndefined(),
  )
})
