// Codes of an authenticator app: RFC 6238 with HMAC-SHA1, six digits, steps of 30 s, which is what
// every app does. Pure.
import { createHmac } from 'node:crypto'

export const TOTP_SECRET_BYTES = 20
const STEP_MS = 30_000
const DIGITS = 6
/** Steps before and after this moment whose codes count: clocks differ, and people type. */
const TOLERANCE = 1
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The step whose code this is, later than `afterStep`; undefined: none of now. */
export function findTotpStep(
  secret: string,
  code: string,
  { nowMs, afterStep }: { nowMs: number; afterStep: number },
): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const key = readBase32(secret)
  const step = Math.floor(nowMs / STEP_MS)
  for (let at = step - TOLERANCE; at <= step + TOLERANCE; at += 1)
    if (at > afterStep && totpCode(key, at, DIGITS) === code) return at
  return undefined
}

/** RFC 4226 5.3. */
export function totpCode(key: Uint8Array, step: number, digits: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', key).update(counter).digest()
  const at = mac.readUInt8(mac.length - 1) & 0x0f
  const number = (mac.readUInt32BE(at) & 0x7fffffff) % 10 ** digits
  return String(number).padStart(digits, '0')
}

/** What an app reads as a QR code. */
export function formatTotpUri(user: string, secret: string): string {
  const label = encodeURIComponent(`Logeye:${user}`)
  return `otpauth://totp/${label}?secret=${secret}&issuer=Logeye&algorithm=SHA1&digits=${DIGITS}&period=${STEP_MS / 1000}`
}

export function formatBase32(bytes: Uint8Array): string {
  let text = ''
  let value = 0
  let bits = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += BASE32[(value >>> (bits - 5)) & 31]
    value &= (1 << bits) - 1
  }
  return bits === 0 ? text : text + BASE32[(value << (5 - bits)) & 31]
}

export function readBase32(text: string): Uint8Array {
  const bytes: number[] = []
  let value = 0
  let bits = 0
  for (const character of text) {
    value = (value << 5) | BASE32.indexOf(character)
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push(value >>> bits)
    value &= (1 << bits) - 1
  }
  return Uint8Array.from(bytes)
}
