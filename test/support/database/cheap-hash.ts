// Hashes of passwords for tests that are not about passwords: what a hash costs stands in it, and a
// true one takes a quarter of a second of a processor, as each sign-in does that is judged by it.
import { randomBytes, scryptSync } from 'node:crypto'

const [LOG_N, R, P] = [4, 8, 1]

/** As infra/metastore/users/password.ts reads it. */
export function hashCheaply(password: string): string {
  const salt = randomBytes(16)
  const key = scryptSync(password.normalize('NFC'), salt, 32, { N: 2 ** LOG_N, r: R, p: P })
  return `scrypt:${LOG_N}:${R}:${P}:${salt.toString('base64url')}:${key.toString('base64url')}`
}
