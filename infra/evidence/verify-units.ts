// Checks the rows of finished days against their signed digests. What is on its way (late events,
// a deletion, a day that is leaving the store) is no difference.

import type { EvidenceUnit } from '../../schemas/evidence.ts'
import { isFailure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/port.ts'
import type { Finding } from './check-links.ts'
import { isLeaving } from './is-leaving.ts'
import { readUnitStates } from './read-evidence.ts'
import { type DigestStore, differenceOf, readUnitDigest } from './row-digests.ts'
import type { UnitState } from './unit-states.ts'

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

type Seen = { readonly findings: Finding[]; readonly notes: string[]; readonly rows: number }

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

async function lookAtUnit(
  { store, digestKey, signal }: Deps,
  state: UnitState,
): Promise<{ findings: Finding[]; rows: number; isSure: boolean }> {
  const { policy, day, bounds } = state
  const unit = { kind: 'unit', policy, day } as const
  try {
    const found = await readUnitDigest(store, state, {
      key: digestKey,
      bounds,
      timeoutMs: UNIT_MS,
      signal,
    })
    const held = sumOf([...found.logs.values()])
    const findings: Finding[] = differenceOf(state.logs, found.logs).map((one) => ({
      ...unit,
      log: one.log,
      ...{ rowsExpected: one.expected, rowsFound: one.found },
      text:
        one.expected === one.found
          ? `rows were changed: ${one.expected} expected, as many found, and they are others`
          : `rows were ${one.expected > one.found ? 'removed' : 'added'}: ${one.expected} expected, ${one.found} found`,
    }))
    const isSure = findings.length > 0
    if (!isSure && found.laterRows > 0) {
      const counted = await readCounted(store, state, signal)
      const later = held + found.laterRows - counted
      if (later !== 0)
        findings.push({
          ...unit,
          ...{ rowsExpected: counted, rowsFound: held + found.laterRows },
          text: `rows are not those that were received: ${counted} counted, ${held + found.laterRows} found`,
        })
    }
    // Rows come before their counters.
    return { findings, rows: held + found.laterRows, isSure }
  } catch (error) {
    if (signal.aborted) throw error
    const code = isFailure(error) ? error.code : 'unknown'
    const rowsExpected = sumOf([...state.logs.values()])
    const text = `the rows cannot be read (${code})`
    return { findings: [{ ...unit, rowsExpected, text }], rows: 0, isSure: false }
  }
}

/** Received and not gone, by the ledger (docs/decisions/0021). */
async function readCounted(
  store: DigestStore,
  { policy, day }: EvidenceUnit,
  signal: AbortSignal,
): Promise<number> {
  const params = { policy, day, from: day * DAY_SECONDS, to: (day + 1) * DAY_SECONDS }
  const [row] = await store.query<{ events: string }>({
    sql: `SELECT (SELECT sum(counts.events) FROM counts WHERE policy = {policy: UInt16}
        AND quarter >= toDateTime({from: Int64}, 'UTC') AND quarter < toDateTime({to: Int64}, 'UTC'))
      - (SELECT sum(gone.events) FROM gone FINAL WHERE policy = {policy: UInt16} AND day = {day: UInt32}) AS events`,
    params,
    timeoutMs: UNIT_MS,
    signal,
  })
  return Number(row?.events ?? 0)
}

function sumOf(logs: readonly { readonly rows: number }[]): number {
  return logs.reduce((sum, { rows }) => sum + rows, 0)
}
