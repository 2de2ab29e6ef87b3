// verify: reads everything that is signed; nothing is changed.

import type { Finding } from '../../../../infra/evidence/check-links.ts'
import { readEvidenceKey } from '../../../../infra/evidence/evidence-key.ts'
import { readHead } from '../../../../infra/evidence/head-document.ts'
import { verifyEvidence } from '../../../../infra/evidence/verify/verify-evidence.ts'
import { readAllPolicies } from '../../../../infra/metastore/policies/collection-policies.ts'
import { readLogPaths } from '../../../../infra/metastore/retention/log-paths.ts'
import { parsePublicKey } from '../../../../infra/signed-documents/signed-document.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { printDay } from '../../../../schemas/keep/store-damage.ts'
import { LEVEL_SEPARATOR } from '../../../../schemas/names/log-path.ts'
import { verify as published } from '../../../../schemas/sdk/evidence/verify.ts'
import { serveCommand } from '../../server/serve-command.ts'

const DAY_MS = 86_400_000
const LIMIT_MS = 3_600_000

export const verify = serveCommand(published, async ({ startDay, endDay, head }, tools) => {
  const { database, wholeStore: store, clock, secretKeys: keys } = tools
  const key = await readEvidenceKey({ database, keys })
  if (key === undefined) throw new Failure('evidence.none')
  const publicKey = parsePublicKey(key.publicKey)
  if (publicKey === undefined) throw new Failure('evidence.key')
  const fromDay = dayOf('startDay', startDay)
  const toDay = dayOf('endDay', endDay)
  const heads = head === undefined ? [] : [readHead(head, publicKey)]
  const signal = AbortSignal.timeout(LIMIT_MS)
  const deps = { database, store, clock, publicKey, digestKey: key.digestKey, signal }
  const seen = await verifyEvidence(deps, { heads, fromDay, toDay })
  const policies = await readAllPolicies(database.read)
  const paths = await readLogPaths(database.read)
  const { logs: visible } = await tools.objects.viewer()
  const logOf = (id: number) => {
    const path = visible === 'all' || visible.has(id) ? paths(id) : undefined
    return path === undefined ? '' : path.levels.join(LEVEL_SEPARATOR)
  }
  const print = ({ kind, entry, day, policy, log, rowsExpected, rowsFound, text }: Finding) => ({
    what: kind,
    entry: entry ?? null,
    day: day === undefined ? null : printDay(day),
    policy:
      policy === undefined
        ? null
        : (policies.find(({ id }) => id === policy)?.name ?? `policy ${policy}`),
    log: log === undefined ? null : logOf(log),
    rowsExpected: rowsExpected ?? null,
    rowsFound: rowsFound ?? null,
    text,
  })
  const answer = {
    isUnchanged: seen.findings.length === 0,
    findings: seen.findings.map(print),
    notes: [...seen.notes],
    evidenceEntries: seen.evidence.entries,
    signedThrough: seen.evidence.signedThrough,
    auditEntries: seen.audit.entries,
    days: seen.units.checked,
    events: seen.units.rows,
    parts: seen.parts,
    publicKey: key.publicKey,
  }
  return () => Promise.resolve(answer)
})

function dayOf(argument: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = Date.parse(`${text}T00:00:00Z`)
  if (Number.isNaN(ms)) throw new Failure('sdk.argument', { argument, reason: 'is no day' })
  return ms / DAY_MS
}
