// What an authenticator app shows for the secret of a second factor.
import { totpCode } from '../../../infra/access/totp.ts'

const STEP_MS = 30_000

/** `secret` in base 32. */
export function totpCodeNow(secret: string, steps = 0): string {
  const bits = [...secret].map((it) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(it).toString(2).padStart(5, '0'),
  )
  const key = (bits.join('').match(/.{8}/g) ?? []).map((it) => Number.parseInt(it, 2))
  return totpCode(Buffer.from(key), Math.floor(Date.now() / STEP_MS) + steps, 6)
}
