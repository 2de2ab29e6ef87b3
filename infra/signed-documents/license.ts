// A licence: what it says, and how it stands now. It stops nothing; it warns
// (docs/decisions/0049).
import { z } from 'zod'
import { type Content, readDocument } from './signed-document.ts'
import type { TrustedKey } from './trusted-key.ts'

const DAY_MS = 86_400_000
const WARN_DAYS = 30
/** Clocks of maker and server differ. */
const CLOCK_MS = DAY_MS

const moment = z.iso.datetime().transform((text) => Date.parse(text))

const licenseSchema = z.object({
  type: z.literal('license'),
  id: z.string().min(1).max(200),
  /** Whose it is. */
  name: z.string().max(500),
  serverKey: z.string(),
  volumeBytesPerDay: z.int().min(0),
  features: z.array(z.string().max(100)).max(100),
  begin: moment,
  end: moment,
})
export type License = z.infer<typeof licenseSchema>

export type LicenseState = 'none' | 'active' | 'ending' | 'ended' | 'not begun' | 'refused'

export type LicenseLook = {
  readonly state: LicenseState
  readonly license: License | undefined
  /** What an operator should know; undefined: nothing. */
  readonly warning: string | undefined
}

type Around = { readonly trusted: TrustedKey; readonly serverKey: string; readonly nowMs: number }

export function lookAtLicense(text: string | undefined, around: Around): LicenseLook {
  if (text === undefined) return { state: 'none', license: undefined, warning: undefined }
  const read = readDocument(text, around.trusted.key)
  if (read.kind === 'refused') return refused(read.reason)
  const parsed = licenseSchema.safeParse(read.content)
  if (!parsed.success) return refused(describeContent(read.content))
  const license = parsed.data
  if (license.serverKey !== around.serverKey)
    return refused(`it is for the server key ${license.serverKey}, this one is ${around.serverKey}`)
  const { nowMs } = around
  if (license.begin > nowMs + CLOCK_MS)
    return {
      state: 'not begun',
      license,
      warning: `the licence begins at ${printDay(license.begin)}`,
    }
  if (license.end <= nowMs)
    return { state: 'ended', license, warning: `the licence ended at ${printDay(license.end)}` }
  const days = Math.ceil((license.end - nowMs) / DAY_MS)
  if (days > WARN_DAYS) return { state: 'active', license, warning: undefined }
  const left = days === 1 ? 'in one day' : `in ${days} days`
  return {
    state: 'ending',
    license,
    warning: `the licence ends ${left}, at ${printDay(license.end)}`,
  }
}

function refused(reason: string): LicenseLook {
  return { state: 'refused', license: undefined, warning: `the licence does not count: ${reason}` }
}

function describeContent({ type }: Content): string {
  return type === 'license' ? 'it is of a form that this version does not know' : 'it is no licence'
}

function printDay(ms: number): string {
  return new Date(ms).toISOString()
}
