import { describe, expect, test } from 'vitest'
import { cleanHost, maskSource, normalizeAddress } from '../../../../ingest/split/source-address.ts'

describe('source address', () => {
  test.each([
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['::FFFF:0102:0304', '1.2.3.4'],
    ['0000:0000:0000:0000:0000:0000:0000:0001', '::1'],
    ['::', '::'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['1:0:0:2:3:0:0:4', '1::2:3:0:0:4'],
    ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
    ['2001:DB8::1.2.3.4', '2001:db8::102:304'],
    // no addresses: as they are
    ['Web-01', 'Web-01'],
    ['1.2.3.256', '1.2.3.256'],
    ['1::2::3', '1::2::3'],
    ['1:2:3:4:5:6:7:8:9', '1:2:3:4:5:6:7:8:9'],
    ['::12345', '::12345'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
    ['a:b', 'a:b'],
  ])('%s is written %s', (text, expected) => {
    expect(normalizeAddress(text)).toBe(expected)
  })

  test.each([
    ['10.1.2.3', 24, '10.1.2.0/24'],
    ['10.1.2.3', 0, '0.0.0.0/0'],
    ['10.1.2.3', 32, '10.1.2.3/32'],
    ['10.1.255.3', 17, '10.1.128.0/17'],
    ['::ffff:10.1.2.3', 24, '10.1.2.0/24'],
    ['host.example', 24, 'host.example'],
  ])('%s in a network of %i bits is %s', (source, bits, expected) => {
    expect(maskSource(source, bits, 64)).toBe(expected)
  })

  test('masks IPv6 with its own bits', () => {
    expect(maskSource('2001:db8:ffff:ffff:1::', 24, 52)).toBe('2001:db8:ffff:f000::/52')
  })

  test('cleans a host name', () => {
    expect(cleanHost('  a b ')).toBe('a b')
    expect(cleanHost(`${'a'.repeat(254)}😀b`)).toBe(`${'a'.repeat(254)}😀`)
  })
})
