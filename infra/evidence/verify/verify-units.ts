// Checks the rows of finished days against their signed digests. What is on its way (late events,
// a deletion, a day that is leaving the store) is no difference.

import { isFailure } from '../../../schemas/failures.ts'
import type { EvidenceUnit } from '../../../schemas/keep/evidence.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/port.ts'
import type { Finding } from '../check-links.ts'
import { isLeaving } from '../is-leaving.ts'
import { readUnitStates } from '../read-evidence.ts'
import { type DigestStore, differenceOf, readUnitDigest } from '../row-digests.ts'
import type { UnitState } from '../unit-states.ts'

const DAY_SECONDS = 86_400
const UNIT_MS = 600_000
const TRIES = 4
const AGAIN_MS = 1000

export type UnitCheck = {
  readonly findings: readonly Finding[]
  readonly notes: readonly string[]
  readonly units: number
  readonly rows: number
}

type Deps = {
  readonly database: Pick<Database, 'read'>
  readonly store: DigestStore
  readonly clock: Pick<Clock, 'sleep'>
  readonly digestKey: Buffer
  readonly signal: AbortSignal
}

/** `isTold`: what the chain says of the unit is whole; else a difference is only noted. */
export async function verifyUnits(
  deps: Deps,
  states: readonly UnitState[],
  isTold: (state: UnitState) => boolean,
): Promise<UnitCheck> {
  const findings: Finding[] = []
  const notes: string[] = []
  let rows = 0
  for (const state of states) {
    deps.signal.throwIfAborted()
    const seen = await verifyUnit(deps, state)
    rows += seen.rows
    if (isTold(state)) findings.push(...seen.findings)
    else notes.push(...seen.findings.map(({ text }) => `${text}; the evidence of it was changed`))
    notes.push(...seen.notes)
  }
  return { findings, notes, units: states.length, rows }
}

type Seen = {
  readonly findings: readonly Finding[]
  readonly notes: readonly string[]
  readonly rows: number
}

async function verifyUnit(deps: Deps, given: UnitState): Promise<Seen> {
  let state = given
  for (let attempt = 1; ; attempt += 1) {
    const { findings, rows, isSure } = await lookAtUnit(deps, state)
    if (findings.length === 0) return { findings, notes: [], rows }
    const { policy, day } = state
    if (await isLeaving(deps.database.read, state))
      return {
        findings: [],
        notes: [`policy ${policy}, day ${day}: events are leaving it now`],
        rows,
      }
    const now = (await readUnitStates(deps.database.read)).find(state) ?? state
    if (now.changedBy !== undefined)
      return {
        findings: [],
        notes: [
          `policy ${policy}, day ${day}: changed as entry ${now.changedBy} says, and not signed again yet`,
        ],
        rows,
      }
    const isSame = now.number === state.number
    state = now
    if (isSame && (isSure || attempt >= TRIES)) return { findings, notes: [], rows }
    await deps.clock.sleep(AGAIN_MS, deps.signal)
  }
}

type Look = {
  readonly findings: readonly Finding[]
  readonly rows: number
  readonly isSure: boolean
}

async function lookAtUnit({ store, digestKey, signal }: Deps, state: UnitState): Promise<Look> {
  const { policy, day, bounds } = state
  const unit = { kind: 'unit', policy, day } as const
  try {
    const options = { key: digestKey, bounds, timeoutMs: UNIT_MS, signal }
    const found = await readUnitDigest(store, state, options)
    const rows = sumOf([...found.logs.values()]) + found.laterRows
    const findings = differenceOf(state.logs, found.logs).map((one) => ({
      ...unit,
      log: one.log,
      ...{ rowsExpected: one.expected, rowsFound: one.found },
      text: describe(one),
    }))
    if (findings.length > 0) return { findings, rows, isSure: true }
    const counted = found.laterRows === 0 ? rows : await readCounted(store, state, signal)
    if (counted === undefined || counted === rows) return { findings: [], rows, isSure: true }
    const text = `rows are not those that were received: ${counted} counted, ${rows} found`
    // Rows come before their counters.
    const later = { ...unit, rowsExpected: counted, rowsFound: rows, text }
    return { findings: [later], rows, isSure: false }
  } catch (error) {
    if (signal.aborted) throw error
    const code = isFailure(error) ? error.code : 'unknown'
    const rowsExpected = sumOf([...state.logs.values()])
    const text = `the rows cannot be read (${code})`
    return { findings: [{ ...unit, rowsExpected, text }], rows: 0, isSure: false }
  }
}

function describe({ expected, found }: { expected: number; found: number }): string {
  if (expected === found) return `rows were changed: ${found} found, which are not those expected`
  const what = expected > found ? 'removed' : 'added'
  return `rows were ${what}: ${expected} expected, ${found} found`
}

/** Received and not gone, by the ledger (docs/decisions/0021). Undefined: its files cannot be read,
 *  which verify-files.ts names. */
async function readCounted(
  store: DigestStore,
  { policy, day }: EvidenceUnit,
  signal: AbortSignal,
): Promise<number | undefined> {
  const params = { policy, day, from: day * DAY_SECONDS, to: (day + 1) * DAY_SECONDS }
  const query = {
    sql: `SELECT (SELECT sum(counts.events) FROM counts WHERE policy = {policy: UInt16}
        AND quarter >= toDateTime({from: Int64}, 'UTC') AND quarter < toDateTime({to: Int64}, 'UTC'))
      - (SELECT sum(gone.events) FROM gone FINAL WHERE policy = {policy: UInt16} AND day = {day: UInt32}) AS events`,
    params,
    timeoutMs: UNIT_MS,
    signal,
  }
  try {
    const [row] = await store.query<{ events: string }>(query)
    return Number(row?.events ?? 0)
  } catch (error) {
    if (signal.aborted) throw error
    return undefined
  }
}

function sumOf(logs: readonly { readonly rows: number }[]): number {
  return logs.reduce((sum, { rows }) => sum + rows, 0)
}
