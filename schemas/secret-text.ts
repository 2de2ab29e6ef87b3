// Secrets that are shown once: a prefix that says what it is, 256 random bits in base62, and a
// checksum, by which a slip of the finger is told from a wrong secret and a scanner finds one in a
// text: `tok_` 43 characters, 6 characters (docs/decisions/0045).
import { crc32c } from './block/crc32c.ts'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
export const SECRET_BYTES = 32
const SECRET_CHARACTERS = 43
const CHECKSUM_CHARACTERS = 6

/** `tok_`: an API token; `ses_`: a session's cookie. */
export type SecretPrefix = 'tok_' | 'ses_'

/** `random` has SECRET_BYTES bytes. */
export function formatSecret(prefix: SecretPrefix, random: Uint8Array): string {
  const secret =
    prefix + base62(BigInt(`0x${Buffer.from(random).toString('hex')}`), SECRET_CHARACTERS)
  return secret + checksum(secret)
}

/** Of this form and with the right checksum; whether it opens anything is not said. */
export function isSecret(prefix: SecretPrefix, text: string): boolean {
  const length = prefix.length + SECRET_CHARACTERS + CHECKSUM_CHARACTERS
  if (text.length !== length || !text.startsWith(prefix) || !/^\w+$/.test(text)) return false
  return text.endsWith(checksum(text.slice(0, -CHECKSUM_CHARACTERS)))
}

function checksum(secret: string): string {
  return base62(BigInt(crc32c([Buffer.from(secret)])), CHECKSUM_CHARACTERS)
}

function base62(value: bigint, characters: number): string {
  let digits = ''
  for (let rest = value; digits.length < characters; rest /= 62n)
    digits = (DIGITS[Number(rest % 62n)] ?? '') + digits
  return digits
}
