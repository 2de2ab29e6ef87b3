// Listener tokens: UUID v4 text. Only the SHA-256 is kept (decision 7.5); a token has 122 random
// bits, so a plain hash is as good as a slow one.
import { createHash } from 'node:crypto'
import type { Clock } from '../../clock.ts'

export function makeToken(clock: Pick<Clock, 'randomBytes'>): string {
  const bytes = clock.randomBytes(16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-')
}

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
