// What a licence is bound to: a random key of the database, made at the first start. Shown is a
// digest of it.
import { createHash } from 'node:crypto'

/** Of the key in the database. */
export const SERVER_KEY = 'server'
const DIGITS = 40

/** `3F2A1-0C9D4-…`. */
export function printServerKey(key: Uint8Array): string {
  const digest = createHash('sha256').update('logeye server key\n').update(key).digest('hex')
  return (digest.slice(0, DIGITS).toUpperCase().match(/.{5}/g) ?? []).join('-')
}
