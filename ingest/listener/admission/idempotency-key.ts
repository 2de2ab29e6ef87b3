import { createHash } from 'node:crypto'

const MAX_KEY_CHARACTERS = 255

/** A longer key is as good by its hash, and a block stays small. */
export function cutIdempotencyKey(key: string): string {
  if (key.length <= MAX_KEY_CHARACTERS) return key
  return `sha256:${createHash('sha256').update(key).digest('hex')}`
}
