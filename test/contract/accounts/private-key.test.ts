// Private keys of SSH accounts are read in a thread, and come back without their passphrase.
import ssh2 from 'ssh2'
import { describe, expect, it } from 'vitest'
import { readPrivateKey } from '../../../infra/outbound/private-key.ts'

const PASSPHRASE = 'open sesame'
const LOCKED = { passphrase: PASSPHRASE, cipher: 'aes256-ctr', rounds: 1 }
const { generateKeyPairSync, parseKey } = ssh2.utils

describe('a private key with a passphrase', () => {
  it.each([
    ['ed25519', generateKeyPairSync('ed25519', LOCKED)],
    ['ecdsa', generateKeyPairSync('ecdsa', { ...LOCKED, bits: 384 })],
    ['rsa', generateKeyPairSync('rsa', { ...LOCKED, bits: 2048 })],
  ] as const)('of the type %s is the same one without it', async (_, pair) => {
    const read = await readPrivateKey(pair.private, PASSPHRASE)
    const key = parseKey('key' in read ? read.key : '')
    const open = parseKey(pair.public)
    if (key instanceof Error || open instanceof Error) throw new Error('no key')
    const signed = key.sign('text')
    expect(open.verify('text', signed)).toBe(true)
    expect(key.getPublicSSH()).toEqual(open.getPublicSSH())
  })

  it('keeps nobody waiting that says it takes for ever', async () => {
    const stop = new AbortController()
    const read = readPrivateKey(keyOfRounds(0xffff_ffff), PASSPHRASE, stop.signal)
    // Only a free loop comes to this.
    setImmediate(() => stop.abort(new Error('stopped')))
    await expect(read).rejects.toThrow('stopped')
  })

  it('is not read where too many others wait', async () => {
    const stop = new AbortController()
    const others = Array.from({ length: 64 }, () =>
      readPrivateKey(keyOfRounds(0xffff_ffff), PASSPHRASE, stop.signal),
    )
    const one = await readPrivateKey('', undefined)
    expect(one).toEqual({ fault: expect.stringContaining('too many') })
    stop.abort(new Error('stopped'))
    for (const other of await Promise.allSettled(others)) expect(other.status).toBe('rejected')
    expect(await readPrivateKey('no key', undefined)).toEqual({
      fault: 'is no private key in the form of OpenSSH, PEM or PPK',
    })
  })
})

/** In the form of OpenSSH; its passphrase is stretched so many times. */
function keyOfRounds(rounds: number): string {
  const number = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return bytes
  }
  const field = (value: string | Buffer) => {
    const bytes = Buffer.from(value)
    return Buffer.concat([number(bytes.length), bytes])
  }
  const bytes = Buffer.concat([
    ...[Buffer.from('openssh-key-v1\0'), field('aes256-ctr'), field('bcrypt')],
    field(Buffer.concat([field('sixteen bytes of'), number(rounds)])),
    ...[number(1), field(Buffer.concat([field('ssh-ed25519'), field('x'.repeat(32))]))],
    field('x'.repeat(160)),
  ])
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${bytes.toString('base64')}\n-----END OPENSSH PRIVATE KEY-----\n`
}
