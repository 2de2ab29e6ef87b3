// What a page shows to write in a session's name: only who has read an answer to the session knows
// it, and a page of another site reads none. It follows from the cookie, so nothing is kept.
import { createHmac, timingSafeEqual } from 'node:crypto'

export const CSRF_HEADER = 'x-csrf-token'

export function csrfTokenOf(sessionSecret: string): string {
  return createHmac('sha256', sessionSecret).update('csrf').digest('base64url')
}

export function isCsrfToken(sessionSecret: string, given: string): boolean {
  const right = Buffer.from(csrfTokenOf(sessionSecret))
  const shown = Buffer.from(given)
  return right.length === shown.length && timingSafeEqual(right, shown)
}
