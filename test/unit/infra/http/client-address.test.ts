import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  formatAddress,
  parseTrustedProxies,
  resolveClient,
} from '../../../../infra/http/client-address.ts'

const binary = (...bytes: number[]): ArrayBuffer => Uint8Array.from(bytes).buffer

describe('formatAddress', () => {
  it('prints IPv4, also inside IPv6, and IPv6 in its short form', () => {
    expect(formatAddress(binary(10, 0, 255, 1))).toBe('10.0.255.1')
    expect(formatAddress(binary(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 127, 0, 0, 1))).toBe(
      '127.0.0.1',
    )
    expect(formatAddress(binary(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))).toBe('::1')
    expect(formatAddress(binary(0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0, 0))).toBe(
      '2001:db8::ff:0',
    )
    expect(formatAddress(binary())).toBe('')
  })

  it('prints every IPv4 address as its four bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 4, maxLength: 4 }), (bytes) => {
        expect(formatAddress(binary(...bytes))).toBe([...bytes].join('.'))
      }),
    )
  })
})

describe('trusted proxies', () => {
  const trusted = parseTrustedProxies(['10.0.0.0/8', '192.168.1.7', 'fd00::/16'])

  it('are addresses and networks of both families', () => {
    const has = ['10.200.1.1', '192.168.1.7', 'fd00:1::5'].map((it) => trusted.has(it))
    const hasNot = ['11.0.0.1', '192.168.1.8', 'fd01::1', '', 'x'].map((it) => trusted.has(it))
    expect([...has, ...hasNot]).toEqual([true, true, true, false, false, false, false, false])
  })

  it.each(['10.0.0.0/33', 'fd00::/129', '10.0.0', 'host', '10.0.0.0/', '1.1.1.1/8/8', ''])(
    'refuse %j',
    (entry) => {
      expect(() => parseTrustedProxies([entry])).toThrow(RangeError)
    },
  )

  const resolve = (peer: string, forwardedFor: string, proxied = '') =>
    resolveClient({ peer, proxied, forwardedFor }, trusted)

  it('are believed about the right-most address that is none of them', () => {
    expect(resolve('10.0.0.1', '203.0.113.9, 10.0.0.2')).toBe('203.0.113.9')
    expect(resolve('10.0.0.1', '203.0.113.9:4711')).toBe('203.0.113.9')
    expect(resolve('10.0.0.1', '[2001:DB8::0:1]:80')).toBe('2001:db8::1')
    expect(resolve('10.0.0.1', '::ffff:1.2.3.4')).toBe('1.2.3.4')
    expect(resolve('10.0.0.1', '10.0.0.3, 10.0.0.2')).toBe('10.0.0.3')
    expect(resolve('10.0.0.1', '')).toBe('10.0.0.1')
  })

  it('are not believed about what a client wrote before they appended its address', () => {
    expect(resolve('10.0.0.1', '1.2.3.4, 203.0.113.9')).toBe('203.0.113.9')
    expect(resolve('10.0.0.1', '10.0.0.7, 203.0.113.9, 10.0.0.2')).toBe('203.0.113.9')
    expect(resolve('10.0.0.1', '1.2.3.4, unknown, 10.0.0.2')).toBe('10.0.0.2')
    expect(resolve('10.0.0.1', '1.2.3.4, unknown')).toBe('10.0.0.1')
    expect(resolve('10.0.0.1', '1.2.3.4,')).toBe('10.0.0.1')
  })

  it('give the appended address, whatever stands before it', () => {
    const entry = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string({ maxLength: 30 }))
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 5 }), fc.nat({ max: 3 }), (forged, proxies) => {
        const appended = ['203.0.113.9', ...Array.from({ length: proxies }, () => '10.0.0.2')]
        expect(resolve('10.0.0.1', [...forged, ...appended].join(', '))).toBe('203.0.113.9')
      }),
    )
  })

  it('are the only ones that are believed', () => {
    expect(resolve('203.0.113.1', '1.2.3.4', '5.6.7.8')).toBe('203.0.113.1')
    expect(resolve('10.0.0.1', '1.2.3.4', '203.0.113.5')).toBe('203.0.113.5')
    expect(resolve('10.0.0.1', '1.2.3.4', '10.0.0.9')).toBe('1.2.3.4')
  })
})
