// Page tokens and ids of files: unguessable, and kept as a hash only (decisions 4.5, 4.6).
import { createHash } from 'node:crypto'
import type { Clock } from '../../../infra/clock.ts'

const SECRET_BYTES = 24

/** 32 letters, digits, `-` and `_`. */
export function makeSecret(clock: Pick<Clock, 'randomBytes'>): string {
  return clock.randomBytes(SECRET_BYTES).toString('base64url')
}

export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
