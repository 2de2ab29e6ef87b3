// All of it: the evidence chain, the audit log, the rows and the files of the store.
import type { KeyObject } from 'node:crypto'
import type { ReadEntry } from '../../../schemas/keep/evidence.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/port.ts'
import type { EvidenceRow } from '../../database/rows/evidence-rows.ts'
import type { Store } from '../../store/port.ts'
import { readUnits } from '../../store/read-units.ts'
import { readChainHead } from '../chain-heads.ts'
import { checkChain } from '../check-chain.ts'
import type { ChainEnd, Finding } from '../check-links.ts'
import { readEntry, readEvidence } from '../read-evidence.ts'
import { UnitStates } from '../unit-states.ts'
import { verifyAudit } from './verify-audit.ts'
import { verifyFiles } from './verify-files.ts'
import { verifyUnits } from './verify-units.ts'

const DAY_MS = 86_400_000
/** A day is signed within the hour after its end; what came late, too. */
const UNSIGNED_DAYS = 2

export type Verified = {
  readonly findings: readonly Finding[]
  readonly notes: readonly string[]
  readonly evidence: { readonly entries: number; readonly signedThrough: number }
  readonly audit: { readonly entries: number; readonly through: number }
  readonly units: { readonly checked: number; readonly rows: number }
  readonly parts: number
}

export type VerifyDeps = {
  readonly database: Pick<Database, 'read'>
  readonly store: Pick<Store, 'query' | 'catchUp' | 'cluster'>
  readonly clock: Pick<Clock, 'nowMs' | 'sleep'>
  readonly publicKey: KeyObject
  readonly digestKey: Buffer
  readonly signal: AbortSignal
}

/** `heads`: ends of the chain that were sent away. Days from 1970. */
export async function verifyEvidence(
  deps: VerifyDeps,
  asked: {
    readonly heads: readonly ChainEnd[]
    readonly fromDay: number | undefined
    readonly toDay: number | undefined
  },
): Promise<Verified> {
  const { database, store, clock, publicKey, signal } = deps
  const head = await readChainHead(database.read, 'evidence')
  const rows: EvidenceRow[] = []
  for await (const row of readEvidence(database.read)) rows.push(row)
  const ends = [...asked.heads]
  if (head.number > 0) ends.push({ ...head, from: 'the end of the chain' })
  const chain = checkChain(rows, { key: publicKey, nowMs: clock.nowMs(), ends })
  const named = new Set(chain.findings.flatMap(({ entry }) => entry ?? []))
  const whole: ReadEntry[] = []
  const states = new UnitStates()
  for (const row of rows) {
    const entry = named.has(row.number) ? undefined : readEntry(row)
    if (entry === undefined) continue
    whole.push(entry)
    states.apply(entry)
  }
  const lastNamed = Math.max(0, ...named)
  const audit = await verifyAudit(database, whole, signal)
  const isAsked = ({ day }: { day: number }) =>
    (asked.fromDay === undefined || day >= asked.fromDay) &&
    (asked.toDay === undefined || day <= asked.toDay)
  const units = states.all().filter(isAsked)
  const unitDeps = { database, store, clock, digestKey: deps.digestKey, signal }
  const checked = await verifyUnits(unitDeps, units, ({ number }) => number > lastNamed)
  const files = store.cluster === undefined ? await verifyFiles(store, signal) : undefined
  const unsigned = await readUnsigned(deps, states)
  return {
    findings: [
      ...chain.findings,
      ...audit.findings,
      ...checked.findings,
      ...(files?.findings ?? []),
    ],
    notes: [
      ...checked.notes,
      ...(unsigned === 0 ? [] : [`days that are not signed yet: ${unsigned}`]),
      ...(files === undefined ? ['files are not read on a cluster'] : []),
    ],
    evidence: { entries: chain.entries, signedThrough: chain.signedThrough },
    audit: { entries: audit.entries, through: audit.through },
    units: { checked: checked.units, rows: checked.rows },
    parts: files?.parts ?? 0,
  }
}

async function readUnsigned(
  { store, clock, signal }: VerifyDeps,
  states: UnitStates,
): Promise<number> {
  const today = Math.floor(clock.nowMs() / DAY_MS)
  const units = await readUnits(store, signal)
  return units.filter(
    ({ policyId: policy, day }) =>
      day <= today - UNSIGNED_DAYS && states.find({ policy, day }) === undefined,
  ).length
}
