// What a browser keeps between two calls: sealed, so that nobody makes one for it, and with an end.
// Every process opens it.
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../clock.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16
const sealedSchema = z.object({ value: z.unknown(), endsMs: z.number() })

/** `key`: 32 bytes. `value`: what JSON holds. */
export function sealCookie(
  value: unknown,
  { key, seconds, clock }: { key: Uint8Array; seconds: number; clock: Clock },
): string {
  const nonce = clock.randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const text = JSON.stringify({ value, endsMs: clock.nowMs() + seconds * 1000 })
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Undefined: not ours, or over. */
export function openCookie<T>(
  text: string,
  { key, clock, schema }: { key: Uint8Array; clock: Pick<Clock, 'nowMs'>; schema: z.ZodType<T> },
): T | undefined {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    const opened = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]
    const parsed = sealedSchema.parse(JSON.parse(Buffer.concat(opened).toString('utf8')))
    return clock.nowMs() < parsed.endsMs ? schema.parse(parsed.value) : undefined
  } catch {
    return undefined
  }
}
