// Secrets that callers show (decision 9.5): `<prefix>_`, 32 random bytes in base62, and a checksum,
// by which a mistyped one is known without a look into the database. Only a hash is kept.
import { createHash } from 'node:crypto'
import type { Clock } from '../../infra/clock.ts'

export const SECRET_KINDS = {
  deployment: 'dpl',
  api_key: 'key',
  session: 'ses',
  operator: 'opr',
  license: 'lic',
  /** Of a link by mail: no credential of calls. */
  link: 'lnk',
} as const
export type SecretKind = keyof typeof SECRET_KINDS

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_BYTES = 32
const SECRET_CHARACTERS = 43
const CHECK_CHARACTERS = 6
const SHAPE = /^(dpl|key|ses|opr|lic|lnk)_[0-9A-Za-z]{49}$/

export type NewSecret = { readonly text: string; readonly hash: string; readonly last4: string }

export function makeSecret(kind: SecretKind, clock: Pick<Clock, 'randomBytes'>): NewSecret {
  const bytes = clock.randomBytes(SECRET_BYTES)
  const body = `${SECRET_KINDS[kind]}_${toBase62(bytes, SECRET_CHARACTERS)}`
  const text = body + checkOf(body)
  return { text, hash: hashSecret(text), last4: text.slice(-4) }
}

/** The kind that its prefix says; undefined: it is no secret of ours, whoever made it. */
export function readSecretKind(text: string): SecretKind | undefined {
  if (!SHAPE.test(text)) return undefined
  const body = text.slice(0, -CHECK_CHARACTERS)
  if (checkOf(body) !== text.slice(-CHECK_CHARACTERS)) return undefined
  for (const [kind, prefix] of Object.entries(SECRET_KINDS))
    if (text.startsWith(`${prefix}_`) && isSecretKind(kind)) return kind
  return undefined
}

/** Enough for a random secret of 256 bits. */
export function hashSecret(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function isSecretKind(text: string): text is SecretKind {
  return Object.hasOwn(SECRET_KINDS, text)
}

function checkOf(body: string): string {
  const digest = createHash('sha256').update(`logeye secret ${body}`).digest()
  return toBase62(digest.subarray(0, 4), CHECK_CHARACTERS)
}

function toBase62(bytes: Uint8Array, characters: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (let at = 0; at < characters; at += 1) {
    text = ALPHABET[Number(rest % 62n)] + text
    rest /= 62n
  }
  return text
}
