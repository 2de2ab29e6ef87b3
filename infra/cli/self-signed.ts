// A self-signed certificate for development. Node makes keys and signatures but no certificates, so
// the few DER structures of X.509 v3 (RFC 5280) are written here; that is less than a package that
// would do it.
import { generateKeyPairSync, sign } from 'node:crypto'
import { isIP, isIPv4 } from 'node:net'
import type { Clock } from '../clock.ts'

const DAY_MS = 86_400_000
/** Browsers refuse longer ones. */
const VALID_DAYS = 397

const OID = {
  commonName: [0x55, 0x04, 0x03],
  ecdsaWithSha256: [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02],
  basicConstraints: [0x55, 0x1d, 0x13],
  keyUsage: [0x55, 0x1d, 0x0f],
  extendedKeyUsage: [0x55, 0x1d, 0x25],
  subjectAltName: [0x55, 0x1d, 0x11],
  serverAuth: [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01],
}
const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  sequence: 0x30,
  set: 0x31,
  generalizedTime: 0x18,
}
const contextTag = (number: number, isConstructed: boolean): number =>
  0x80 | number | (isConstructed ? 0x20 : 0)

export type CertificatePair = { readonly certificate: string; readonly key: string }

/** PEM texts. `hosts`: names and addresses the certificate is for; the first is its common name. */
export function makeSelfSigned(hosts: readonly string[], clock: Clock): CertificatePair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(oid(OID.ecdsaWithSha256))
  const name = sequence(
    der(
      TAG.set,
      sequence(oid(OID.commonName), der(TAG.utf8, Buffer.from(hosts[0] ?? 'localhost'))),
    ),
  )
  const beginMs = clock.nowMs() - DAY_MS
  const serial = clock.randomBytes(16)
  // A serial number is positive and in its shortest form.
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40
  const body = sequence(
    der(contextTag(0, true), der(TAG.integer, Buffer.from([2]))),
    der(TAG.integer, serial),
    algorithm,
    name,
    sequence(time(beginMs), time(beginMs + VALID_DAYS * DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(contextTag(3, true), extensions(hosts)),
  )
  const signature = sign('sha256', body, privateKey)
  const certificate = sequence(body, algorithm, bitString(signature))
  return {
    certificate: pem('CERTIFICATE', certificate),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function extensions(hosts: readonly string[]): Buffer {
  const names = hosts.map((host) =>
    isIP(host) > 0
      ? der(contextTag(7, false), addressBytes(host))
      : der(contextTag(2, false), Buffer.from(host, 'ascii')),
  )
  const critical = der(TAG.boolean, Buffer.from([0xff]))
  const digitalSignature = Buffer.from([7, 0x80])
  return sequence(
    extension(OID.basicConstraints, sequence(), critical),
    extension(OID.keyUsage, der(TAG.bitString, digitalSignature), critical),
    extension(OID.extendedKeyUsage, sequence(oid(OID.serverAuth))),
    extension(OID.subjectAltName, sequence(...names)),
  )
}

function extension(id: readonly number[], value: Buffer, critical?: Buffer): Buffer {
  return sequence(oid(id), ...(critical ? [critical] : []), der(TAG.octetString, value))
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  // The URL parser checks and shortens; here the short form is filled up again.
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::')
  const groups = (text: string | undefined): string[] => (text ? text.split(':') : [])
  const [front, back] = [groups(head), groups(tail)]
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => '0')
  return Buffer.from([...front, ...zeros, ...back].map((it) => it.padStart(4, '0')).join(''), 'hex')
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content])
  const length = Buffer.from(content.length.toString(16).padStart(4, '0'), 'hex')
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, content])
}

function sequence(...parts: Buffer[]): Buffer {
  return der(TAG.sequence, ...parts)
}

function oid(bytes: readonly number[]): Buffer {
  return der(TAG.oid, Buffer.from(bytes))
}

function bitString(bytes: Buffer): Buffer {
  return der(TAG.bitString, Buffer.from([0]), bytes)
}

/** UTCTime until 2049 is demanded by RFC 5280. */
function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/[-:T]/g, '').slice(0, 14)
  const year = Number(digits.slice(0, 4))
  const isShort = year < 2050
  return der(
    isShort ? 0x17 : TAG.generalizedTime,
    Buffer.from(`${isShort ? digits.slice(2) : digits}Z`),
  )
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}
