import { describe, expect, it } from 'vitest'
import { findAddress } from '../../../../infra/outbound/find-address.ts'

const find = (host: string) => findAddress(host, new AbortController().signal)

describe('the guard of what goes out', () => {
  it.each([
    ...['0.0.0.0', '169.254.169.254', '224.0.0.1', '255.255.255.255'],
    ...['100.100.100.200', '168.63.129.16', '192.0.0.192'],
    ...['::', 'fe80::1', 'fe80::1%eth0', 'ff02::1', 'fd00:ec2::254', 'fd20:ce::254'],
    ...['[::ffff:169.254.169.254]', '::ffff:a9fe:a9fe', '::169.254.169.254', '::100.100.100.200'],
    ...['64:ff9b::a9fe:a9fe', '64:ff9b::192.0.0.192', '64:ff9b:1::a9fe:a9fe'],
    ...['2002:a9fe:a9fe::', '2001:0:a9fe:a9fe::', '::ffff:0:a9fe:a9fe', '::ffff:0:7f00:1'],
  ])('refuses %s', async (host) => {
    await expect(find(host)).rejects.toThrow('does not connect to the address')
  })

  it.each([
    '127.0.0.1',
    '::1',
    '10.1.2.3',
    '192.168.1.1',
    'fd12:3456::1',
    '64:ff9b::808:808',
    '2001:db8::1',
  ])('lets %s through', async (host) => {
    expect((await find(host)).address).toBe(host)
  })
})
