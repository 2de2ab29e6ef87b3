import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { makeSelfSigned } from '../../../../infra/cli/self-signed.ts'

const nowMs = Date.UTC(2030, 0, 31, 12)
const clock = {
  nowMs: () => nowMs,
  elapsedMs: () => 0,
  sleep: () => Promise.resolve(),
  randomBytes: (count: number) => Buffer.alloc(count, 0xff),
}

describe('a self-signed certificate', () => {
  const pair = makeSelfSigned(['localhost', '127.0.0.1', '::1', '2001:db8::7'], clock)
  const certificate = new X509Certificate(pair.certificate)

  it('is signed by its own key', () => {
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.checkPrivateKey(createPrivateKey(pair.key))).toBe(true)
    expect(() => createSecureContext({ cert: pair.certificate, key: pair.key })).not.toThrow()
  })

  it('is for the hosts that were named', () => {
    expect(certificate.subject).toBe('CN=localhost')
    expect(certificate.issuer).toBe(certificate.subject)
    expect(certificate.checkHost('localhost')).toBe('localhost')
    for (const address of ['127.0.0.1', '::1', '2001:db8::7'])
      expect(certificate.checkIP(address)).toBe(address)
    expect(certificate.checkHost('example.org')).toBeUndefined()
  })

  it('begins a day ago and ends within the time that browsers take', () => {
    expect(Date.parse(certificate.validFrom)).toBe(nowMs - 86_400_000)
    const days = (Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / 86_400_000
    expect(days).toBe(397)
    expect(certificate.ca).toBe(false)
  })
})
