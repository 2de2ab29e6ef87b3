// What health and the start page say of the licence and of the portal: nothing, or a few sentences.
// Read at most every ten seconds.

import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/port.ts'
import { lookAtLicense } from '../../signed-documents/license.ts'
import type { TrustedKey } from '../../signed-documents/trusted-key.ts'
import { readInstalledLicense } from './installed-license.ts'

const KEPT_MS = 10_000

/** Never fails: the last answer stays while the database is away. */
export function makeLicenseWarning(options: {
  readonly database: Pick<Database, 'read'>
  readonly trusted: TrustedKey
  readonly serverKey: string
  /** Of the portal. */
  readonly others: () => Promise<readonly string[]>
  readonly clock: Pick<Clock, 'nowMs' | 'elapsedMs'>
}): () => Promise<string | undefined> {
  const { database, clock, trusted, serverKey, others } = options
  let warning: string | undefined
  let readMs = Number.NEGATIVE_INFINITY
  return async () => {
    if (clock.elapsedMs() - readMs < KEPT_MS) return warning
    readMs = clock.elapsedMs()
    try {
      const text = await readInstalledLicense(database.read)
      const own = lookAtLicense(text, { trusted, serverKey, nowMs: clock.nowMs() }).warning
      const all = [...(own === undefined ? [] : [own]), ...(await others())]
      warning = all.length === 0 ? undefined : all.join('; ')
    } catch {
      // Said again when it answers.
    }
    return warning
  }
}
