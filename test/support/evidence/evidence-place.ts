// Evidence over real engines: events of chosen days, the job, and what verify says.

import { join } from 'node:path'
import type { ChainEnd } from '../../../infra/evidence/check-links.ts'
import { runEvidence } from '../../../infra/evidence/evidence-job.ts'
import { readEvidenceKey } from '../../../infra/evidence/evidence-key.ts'
import { type Verified, verifyEvidence } from '../../../infra/evidence/verify/verify-evidence.ts'
import { SecretKeys } from '../../../infra/secrets/secret-keys.ts'
import { parsePublicKey } from '../../../infra/signed-documents/signed-document.ts'
import { runRetention } from '../../../ingest/retention/retention-job.ts'
import { NOW_MS, openRetentionPlaceOn, type RetentionPlace } from '../retention/retention-place.ts'
import { testClock } from '../run/test-clock.ts'
import { type EmbeddedStore, startEmbeddedStore } from '../store/embedded-store.ts'

export type EvidencePlace = RetentionPlace<EmbeddedStore> & {
  readonly keys: SecretKeys
  /** The job, once. */
  sign(): Promise<void>
  retain(): Promise<void>
  audit(targets: readonly string[]): Promise<void>
  verify(heads?: readonly ChainEnd[]): Promise<Verified>
}

export async function openEvidencePlace(): Promise<EvidencePlace> {
  const place = await openRetentionPlaceOn(startEmbeddedStore)
  const { eventLog } = place
  const { database } = place.metastore
  const keys = new SecretKeys(join(place.dataDir, 'secrets.key'), testClock)
  let signed = 0
  const readKey = async () => await readEvidenceKey({ database, keys })
  return {
    ...place,
    keys,
    sign: async () => {
      signed += 1
      // Later than between two entries about the audit log.
      const nowMs = NOW_MS + signed * 660_000
      await place.run((context) => runEvidence(context, { eventLog, keys }), { nowMs })
    },
    retain: async () => {
      const readDigestKey = async () => (await readKey())?.digestKey
      await place.run((context) =>
        runRetention(context, { eventLog, readDigestKey, archive: place.archive }),
      )
    },
    audit: async (targets) => {
      for (const target of targets)
        await place.metastore.audit({
          ...{ userId: 1, userName: 'ann', address: '::1', action: 'test', target, result: 'done' },
        })
    },
    verify: async (heads = []) => {
      const key = await readKey()
      const publicKey = parsePublicKey(key?.publicKey ?? '')
      if (key === undefined || publicKey === undefined) throw new Error('nothing is signed')
      const clock = { nowMs: () => NOW_MS, sleep: testClock.sleep }
      const { signal } = new AbortController()
      const { store } = place.engine
      const { digestKey } = key
      return await verifyEvidence(
        { database, store, clock, publicKey, digestKey, signal },
        { heads, fromDay: undefined, toDay: undefined },
      )
    },
  }
}
