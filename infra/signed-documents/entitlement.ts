// The entitlement that a portal gives with each answer (decision 9.6): what the licence allows,
// signed for 30 days, so that it is known without the portal. It stops nothing; it warns.
import { z } from 'zod'
import { parsePublicKey, readDocument } from './signed-document.ts'

const DAY_MS = 86_400_000
/** It comes anew with each heartbeat: so near its end the portal was away for long. */
const WARN_DAYS = 7

const moment = z.iso.datetime().transform((text) => Date.parse(text))

const entitlementSchema = z.object({
  type: z.literal('entitlement'),
  deploymentId: z.string(),
  fingerprint: z.string(),
  license: z.object({
    name: z.string(),
    state: z.string(),
    plan: z.object({ name: z.string(), volumeBytesPerDay: z.int().nullish() }),
    validFrom: moment,
    validTo: moment,
  }),
  begin: moment,
  end: moment,
})
export type Entitlement = z.infer<typeof entitlementSchema>

export type EntitlementLook = {
  readonly state: 'none' | 'active' | 'ending' | 'ended' | 'refused'
  readonly entitlement: Entitlement | undefined
  /** Why it is refused; ''. */
  readonly reason: string
}

/** `portalKey`: the one that this deployment saw first. */
export function lookAtEntitlement(
  text: string,
  around: {
    readonly portalKey: string
    readonly fingerprint: string
    readonly deploymentId: string
    readonly nowMs: number
  },
): EntitlementLook {
  if (text === '') return { state: 'none', entitlement: undefined, reason: '' }
  const key = parsePublicKey(around.portalKey)
  if (key === undefined) return refused('the key of the portal is not known')
  const read = readDocument(text, key)
  if (read.kind === 'refused') return refused(read.reason)
  const parsed = entitlementSchema.safeParse(read.content)
  if (!parsed.success) return refused('it is of a form that this version does not know')
  const entitlement = parsed.data
  const { fingerprint, deploymentId, nowMs } = around
  if (entitlement.fingerprint !== fingerprint || entitlement.deploymentId !== deploymentId)
    return refused('it is for another deployment')
  if (entitlement.end <= nowMs) return { state: 'ended', entitlement, reason: '' }
  const isEnding = entitlement.end - nowMs <= WARN_DAYS * DAY_MS
  return { state: isEnding ? 'ending' : 'active', entitlement, reason: '' }
}

function refused(reason: string): EntitlementLook {
  return { state: 'refused', entitlement: undefined, reason }
}
