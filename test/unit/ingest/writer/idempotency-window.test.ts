import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  IdentityFilter,
  identifyRequest,
  isRepeat,
  type RequestKey,
} from '../../../../ingest/writer/keys/idempotency-window.ts'
import { makeRequest } from '../../../support/ingest/sent-request.ts'

const DAY_MS = 86_400_000
const key = (facts: Partial<RequestKey>): RequestKey => ({
  identity: 'i',
  receivedMs: DAY_MS * 20_000,
  offset: 5,
  request: 2,
  ...facts,
})

describe('a repeated request', () => {
  test('is the later of two equal ones, by position alone', () => {
    expect(isRepeat(key({}), [key({ offset: 4 })])).toBe(true)
    expect(isRepeat(key({}), [key({ request: 1 })])).toBe(true)
    expect(isRepeat(key({}), [key({})])).toBe(false)
    expect(isRepeat(key({}), [key({ offset: 6 })])).toBe(false)
    expect(isRepeat(key({}), [key({ request: 3 })])).toBe(false)
    expect(isRepeat(key({}), undefined)).toBe(false)
  })

  test('is one within 24 h of receipt, also when clocks of nodes differ', () => {
    const first = key({ offset: 1 })
    expect(isRepeat(key({ receivedMs: first.receivedMs + DAY_MS }), [first])).toBe(true)
    expect(isRepeat(key({ receivedMs: first.receivedMs + DAY_MS + 1 }), [first])).toBe(false)
    expect(isRepeat(key({ receivedMs: first.receivedMs - 1 }), [first])).toBe(true)
  })

  test('has the same account, key and body', () => {
    const request = makeRequest({ events: [{ a: 1 }], idempotencyKey: 'k', receivedMs: 1 })
    const identity = identifyRequest(request)
    expect(identity).toHaveLength(16)
    expect(identifyRequest({ ...request, receivedMs: 2, peer: 'other' })).toBe(identity)
    expect(identifyRequest({ ...request, accountId: 2 })).not.toBe(identity)
    expect(identifyRequest({ ...request, idempotencyKey: 'K' })).not.toBe(identity)
    expect(identifyRequest({ ...request, body: Buffer.from('{"a":2}') })).not.toBe(identity)
  })
})

describe('the filter of identities', () => {
  const identity = fc
    .uint8Array({ minLength: 16, maxLength: 16 })
    .map((it) => Buffer.from(it).toString('latin1'))

  test('never denies one that was added in the last 24 h', () => {
    const added = fc.array(fc.tuple(identity, fc.nat(3_600_000)), { maxLength: 200 })
    fc.assert(
      fc.property(added, (entries) => {
        const filter = new IdentityFilter(12)
        let nowMs = 0
        const times = entries.map(([id, stepMs]) => {
          nowMs += stepMs
          filter.add(id, { receivedMs: nowMs, elapsedMs: nowMs })
          return [id, nowMs] as const
        })
        for (const [id, atMs] of times) {
          if (nowMs - atMs <= DAY_MS) expect(filter.mayHave(id)).toBe(true)
        }
      }),
    )
  })

  test('denies what it never saw, and forgets in the end', () => {
    const filter = new IdentityFilter(16)
    const at = (day: number) => ({ receivedMs: day * DAY_MS, elapsedMs: day * DAY_MS })
    filter.add('abcdefghijklmnop', at(0))
    expect(filter.mayHave('ponmlkjihgfedcba')).toBe(false)
    for (const day of [2, 4]) filter.add('xxxxyyyyzzzzaaaa', at(day))
    expect(filter.mayHave('abcdefghijklmnop')).toBe(false)
  })

  test('forgets nothing while the time of day jumps about, nor while a writer works off what is days old', () => {
    const jumps = new IdentityFilter(16)
    jumps.add('abcdefghijklmnop', { receivedMs: 0, elapsedMs: 0 })
    for (const day of [3, -4, 9, 0, 30])
      jumps.add('xxxxyyyyzzzzaaaa', { receivedMs: day * DAY_MS, elapsedMs: 1000 })
    expect(jumps.mayHave('abcdefghijklmnop')).toBe(true)
    const behind = new IdentityFilter(16)
    behind.add('abcdefghijklmnop', { receivedMs: 0, elapsedMs: 0 })
    for (const day of [3, 5])
      behind.add('xxxxyyyyzzzzaaaa', { receivedMs: 1000, elapsedMs: day * DAY_MS })
    expect(behind.mayHave('abcdefghijklmnop')).toBe(true)
  })
})
