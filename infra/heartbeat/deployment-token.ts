// The token of the deployment, encrypted as other secrets are (docs/decisions/0047).
import type { Clock } from '../clock.ts'
import { openSecret, type SecretKey, sealedSchema, sealSecret } from '../secrets/secret-box.ts'
import type { SecretKeys } from '../secrets/secret-keys.ts'

const PLACE = { kind: 'portal', id: 1, field: 'deploymentToken' } as const

export function sealToken(
  key: SecretKey,
  token: string,
  clock: Pick<Clock, 'randomBytes'>,
): string {
  return JSON.stringify(sealSecret(key, PLACE, token, clock))
}

/** undefined: there is none, or none that can be read: the licence key brings a new one. */
export function openToken(sealed: string, keys: SecretKeys): string | undefined {
  if (sealed === '') return undefined
  try {
    const box = sealedSchema.parse(JSON.parse(sealed))
    return openSecret(keys.find(box.key), PLACE, box)
  } catch {
    return undefined
  }
}
