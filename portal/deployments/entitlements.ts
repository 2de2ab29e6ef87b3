// What a deployment may, signed for 30 days (decision 9.6): it holds without the portal. One that
// says the same is given again for an hour, since signing costs more than all else of a heartbeat.
import { printDocument } from '../../infra/signed-documents/signed-document.ts'
import type { HeartbeatAnswer } from '../../schemas/portal/deployments.ts'
import type { SigningKey } from './signing-key.ts'

const DAY_MS = 86_400_000
const VALID_MS = 30 * DAY_MS
const REUSED_MS = 3_600_000
/** Bounds memory; beyond it the oldest is signed anew. */
const MAX_KEPT = 20_000

type Kept = { readonly text: string; readonly says: string; readonly issuedMs: number }

export class Entitlements {
  readonly #key: SigningKey
  readonly #kept = new Map<string, Kept>()

  constructor(key: SigningKey) {
    this.#key = key
  }

  for(
    of: { readonly deploymentId: string; readonly fingerprint: string },
    license: HeartbeatAnswer['license'],
    nowMs: number,
  ): string {
    const content = { type: 'entitlement', ...of, license }
    const says = JSON.stringify(content)
    const kept = this.#kept.get(of.deploymentId)
    if (kept?.says === says && nowMs - kept.issuedMs < REUSED_MS) return kept.text
    const issued = new Date(nowMs).toISOString()
    const times = { begin: issued, end: new Date(nowMs + VALID_MS).toISOString() }
    const text = printDocument({ ...content, ...times }, this.#key.key, [])
    this.#kept.delete(of.deploymentId)
    const oldest = this.#kept.keys().next()
    if (this.#kept.size >= MAX_KEPT && !oldest.done) this.#kept.delete(oldest.value)
    this.#kept.set(of.deploymentId, { text, says, issuedMs: nowMs })
    return text
  }
}
