// When an event was, in the form of RFC 3339 with microseconds.
import type { ForwardedEvent } from './forwarded-event.ts'

export function readTime({ timestampNs }: Pick<ForwardedEvent, 'timestampNs'>): string {
  const ms = Math.floor(Number(timestampNs.slice(0, -6)))
  const micros = timestampNs.slice(-6, -3)
  return new Date(ms).toISOString().replace('Z', `${micros}Z`)
}
