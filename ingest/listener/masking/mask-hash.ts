// The keyed hash of masking: the same for the same value in one deployment, and nothing without
// the key. Letters alone, so that no rule finds a value in it.
import { createHmac, createSecretKey } from 'node:crypto'
import type { HashValue } from '../../mask/masker.ts'

const BYTES = 8
const FIRST = 'a'.charCodeAt(0)
/** Values come again: so many are remembered. */
const MAX_REMEMBERED = 10_000
const MAX_REMEMBERED_CHARACTERS = 128

export function makeMaskHash(key: Buffer): HashValue {
  const known = new Map<string, string>()
  // Made once: of bytes it would be made anew for each hash, which takes five times as long.
  const secret = createSecretKey(key)
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const digest = createHmac('sha256', secret).update(text, 'utf8').digest()
    const letters: string[] = []
    for (const byte of digest.subarray(0, BYTES))
      letters.push(String.fromCharCode(FIRST + (byte >> 4), FIRST + (byte & 15)))
    const hash = `h_${letters.join('')}`
    if (text.length <= MAX_REMEMBERED_CHARACTERS) {
      if (known.size >= MAX_REMEMBERED) known.clear()
      known.set(text, hash)
    }
    return hash
  }
}
