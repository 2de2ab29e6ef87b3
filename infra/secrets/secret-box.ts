// Encrypts one secret (decision 7.5, docs/decisions/0047): AES-256-GCM, bound to the place that it
// is kept for, so that a row cannot lend its secret to another. Pure but for the random nonce.
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../clock.ts'

export type SecretKey = { readonly id: string; readonly bytes: Buffer }

/** Where a secret is kept. */
export type SecretPlace = { readonly kind: string; readonly id: number; readonly field: string }

export const sealedSchema = z.strictObject({
  /** Id of the key. */
  key: z.string(),
  /** Nonce, text and tag, base64. */
  box: z.string(),
})
export type Sealed = Readonly<z.infer<typeof sealedSchema>>

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export function sealSecret(
  key: SecretKey,
  place: SecretPlace,
  text: string,
  clock: Pick<Clock, 'randomBytes'>,
): Sealed {
  const nonce = clock.randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key.bytes, nonce).setAAD(bindingOf(key.id, place))
  const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return { key: key.id, box: Buffer.concat(parts).toString('base64') }
}

/** undefined: it was changed, belongs elsewhere, or has another key. */
export function openSecret(key: SecretKey, place: SecretPlace, sealed: Sealed): string | undefined {
  const box = Buffer.from(sealed.box, 'base64')
  if (box.length < NONCE_BYTES + TAG_BYTES) return undefined
  const decipher = createDecipheriv(CIPHER, key.bytes, box.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(bindingOf(sealed.key, place))
  decipher.setAuthTag(box.subarray(-TAG_BYTES))
  try {
    const text = decipher.update(box.subarray(NONCE_BYTES, -TAG_BYTES))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

function bindingOf(keyId: string, { kind, id, field }: SecretPlace): Buffer {
  return Buffer.from(['logeye secret', keyId, kind, String(id), field].join('\0'), 'utf8')
}
