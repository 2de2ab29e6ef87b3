// The certificates of a PKCS#12 trust store (RFC 7292), as keytool (Java 17) and openssl 3 write
// it: PBES2 with AES. Node's own reader takes only stores with a private key and trusts nothing in
// them, which is no trust store. Older ciphers are refused.
import { createDecipheriv, pbkdf2Sync, X509Certificate } from 'node:crypto'
import { children, type DerElement, readInteger, readOid, readOne } from './der.ts'

const OID = {
  data: '1.2.840.113549.1.7.1',
  encryptedData: '1.2.840.113549.1.7.6',
  pbes2: '1.2.840.113549.1.5.13',
  pbkdf2: '1.2.840.113549.1.5.12',
  certBag: '1.2.840.113549.1.12.10.1.3',
  x509: '1.2.840.113549.1.9.22.1',
} as const

const CIPHERS: Readonly<Record<string, { name: string; keyBytes: number }>> = {
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', keyBytes: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', keyBytes: 24 },
  '2.16.840.1.101.3.4.1.42': { name: 'aes-256-cbc', keyBytes: 32 },
}

const HASHES: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
}

const MAX_ITERATIONS = 5_000_000

/** PEM texts, at least one. Throws RangeError: no such store, another password, or a cipher that is
 *  not read. */
export function readPkcs12Certificates(bytes: Buffer, password: string): string[] {
  const [, authSafe] = children(readOne(bytes))
  const safes = children(readOne(contentOf(expect(authSafe), OID.data)))
  const found = safes.flatMap((safe) => {
    const [type, content] = children(safe)
    const plain =
      readOid(expect(type)) === OID.encryptedData
        ? decrypt(expect(content), password)
        : contentOf(safe, OID.data)
    return readBags(readOne(plain))
  })
  if (found.length === 0) throw new RangeError('no certificate')
  return found
}

/** ContentInfo of the type `data`: the octets in it. */
function contentOf(contentInfo: DerElement, wantedType: string): Buffer {
  const [type, content] = children(contentInfo)
  if (readOid(expect(type)) !== wantedType) throw new RangeError('content type')
  return expect(children(expect(content))[0]).value
}

function readBags(safeContents: DerElement): string[] {
  return children(safeContents).flatMap((bag) => {
    const [bagType, bagValue] = children(bag)
    if (readOid(expect(bagType)) !== OID.certBag) return []
    const [certType, certValue] = children(expect(children(expect(bagValue))[0]))
    if (readOid(expect(certType)) !== OID.x509) return []
    const der = expect(children(expect(certValue))[0]).value
    return [new X509Certificate(der).toString()]
  })
}

/** EncryptedData: version, then content type, algorithm and the octets. */
function decrypt(content: DerElement, password: string): Buffer {
  const [, info] = children(expect(children(content)[0]))
  const [, algorithm, encrypted] = children(expect(info))
  const [scheme, parameters] = children(expect(algorithm))
  if (readOid(expect(scheme)) !== OID.pbes2) throw new RangeError('cipher')
  const [derivation, encryption] = children(expect(parameters))
  const [cipherType, iv] = children(expect(encryption))
  const cipher = CIPHERS[readOid(expect(cipherType))]
  if (cipher === undefined) throw new RangeError('cipher')
  const key = deriveKey(expect(derivation), password, cipher.keyBytes)
  const decipher = createDecipheriv(cipher.name, key, expect(iv).value)
  return Buffer.concat([decipher.update(octets(expect(encrypted))), decipher.final()])
}

function deriveKey(derivation: DerElement, password: string, keyBytes: number): Buffer {
  const [type, parameters] = children(derivation)
  if (readOid(expect(type)) !== OID.pbkdf2) throw new RangeError('key derivation')
  const [salt, iterations, ...rest] = children(expect(parameters))
  const hashType = rest.find((element) => element.isConstructed)
  const hash = hashType === undefined ? 'sha1' : HASHES[readOid(expect(children(hashType)[0]))]
  const count = readInteger(expect(iterations))
  if (hash === undefined || count < 1 || count > MAX_ITERATIONS)
    throw new RangeError('key derivation')
  return pbkdf2Sync(password, expect(salt).value, count, keyBytes, hash)
}

/** The octets stand in the element, or in pieces below it. */
function octets(element: DerElement): Buffer {
  return element.isConstructed
    ? Buffer.concat(children(element).map((piece) => piece.value))
    : element.value
}

function expect<T>(element: T | undefined): T {
  if (element === undefined) throw new RangeError('element is missing')
  return element
}
