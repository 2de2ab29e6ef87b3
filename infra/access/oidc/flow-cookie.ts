// What a browser keeps between going to the provider and coming back: sealed, so that nobody makes
// one for it, and of one use, since the provider takes its code once. Every process opens it.
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../clock.ts'
import type { Flow } from './provider.ts'

export const FLOW_COOKIE = 'logeye_oidc'
export const FLOW_SECONDS = 600
const NONCE_BYTES = 12
const TAG_BYTES = 16

const sealedSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  endsMs: z.number(),
})

export function makeFlow(clock: Pick<Clock, 'randomBytes'>): Flow {
  const word = () => clock.randomBytes(32).toString('base64url')
  return { state: word(), nonce: word(), verifier: word() }
}

export function sealFlow(flow: Flow, key: Uint8Array, clock: Clock): string {
  const nonce = clock.randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const text = JSON.stringify({ ...flow, endsMs: clock.nowMs() + FLOW_SECONDS * 1000 })
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Undefined: not ours, or over. */
export function openFlow(
  text: string,
  key: Uint8Array,
  clock: Pick<Clock, 'nowMs'>,
): Flow | undefined {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    const opened = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]
    const parsed = sealedSchema.parse(JSON.parse(Buffer.concat(opened).toString('utf8')))
    return clock.nowMs() < parsed.endsMs ? parsed : undefined
  } catch {
    return undefined
  }
}
