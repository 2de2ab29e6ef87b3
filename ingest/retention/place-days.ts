// Brings days to the disk that their collection policy names (docs/decisions/0132), one after the
// other, when the writer writes them no more. No row changes: look-ups, ledger and evidence see
// nothing of it. What could not be moved stays where it is and is searched there.
import type { KeptPolicy } from '../../infra/metastore/policies/collection-policies.ts'
import type { JobContext } from '../../infra/scheduler/job.ts'
import { readDisks, type StoreDisk } from '../../infra/store/read-disks.ts'
import { isThawedUnit } from '../../schemas/archive/thawed-unit.ts'
import { isFailure } from '../../schemas/failures.ts'
import { printDay } from '../../schemas/keep/store-damage.ts'
import { localName, onCluster } from '../../schemas/store/cluster.ts'
import { dayOf, type UnitPlace } from '../ledger/unit-sums.ts'

const TIMEOUT_MS = 3_600_000
const LOOK_MS = 60_000
const DAY_MS = 86_400_000
/** After a try that failed, as while the engine merges the day. */
const RETRY_MS = 60_000

export type DayPlace = {
  readonly policyId: number
  /** As the partition has it, yyyymmdd. */
  readonly date: number
  readonly disk: string
}

export type PlannedMove = {
  readonly policyId: number
  readonly date: number
  readonly disk: string
}

/** Pure. `places`: of parts that are there, a day more than once when it lies on several disks. */
export function planMoves(options: {
  readonly nowMs: number
  readonly places: readonly DayPlace[]
  readonly disks: readonly StoreDisk[]
  readonly policies: readonly Pick<KeptPolicy, 'id' | 'policy'>[]
}): readonly PlannedMove[] {
  const { nowMs, places, disks, policies } = options
  const today = Math.floor(nowMs / DAY_MS)
  const [first] = disks
  const moves = new Map<string, PlannedMove>()
  for (const { policyId, date, disk } of places) {
    const { policy } = policies.find(({ id }) => id === policyId) ?? {}
    if (policy === undefined || first === undefined || isThawedUnit(policyId)) continue
    const { storageDirectory, storageDirectoryDays } = policy
    if (dayOf(date) >= today - storageDirectoryDays) continue
    const wanted =
      storageDirectory === ''
        ? // On a server its own rules may have moved it.
          first.isOurs
          ? first
          : undefined
        : disks.find(({ directory }) => directory === storageDirectory)
    if (wanted === undefined || wanted.name === disk) continue
    moves.set(`${policyId} ${date}`, { policyId, date, disk: wanted.name })
  }
  return [...moves.values()].sort((a, b) => a.date - b.date || a.policyId - b.policyId)
}

/** When each day was tried in vain, by this process. */
const triedMs = new Map<string, number>()

export async function placeDays(
  context: JobContext,
  policies: readonly KeptPolicy[],
  mayMove: (unit: UnitPlace) => Promise<boolean>,
): Promise<void> {
  const { store, clock, logger, signal } = context
  const { cluster } = store
  const disks = await readDisks(store, signal)
  if (disks.length < 2) return
  const places = await readPlaces(context)
  for (const move of planMoves({ nowMs: clock.nowMs(), places, disks, policies })) {
    const { policyId, date, disk } = move
    const key = `${policyId} ${date}`
    if ((triedMs.get(key) ?? -RETRY_MS) > clock.elapsedMs() - RETRY_MS) continue
    if (signal.aborted) return
    if (!(await mayMove({ policyId, day: dayOf(date) }))) continue
    const fields = { policy: policyId, day: printDay(dayOf(date)) ?? '', disk }
    try {
      await store.command({
        sql: `ALTER TABLE ${localName('events', cluster)}${onCluster(cluster)} MOVE PARTITION (${Number(policyId)}, ${Number(date)}) TO DISK '${disk}'`,
        timeoutMs: TIMEOUT_MS,
        signal,
      })
      triedMs.delete(key)
      logger.info('a day was moved to another disk', fields)
    } catch (error) {
      if (!isFailure(error) || signal.aborted) throw error
      triedMs.set(key, clock.elapsedMs())
      logger.warn('a day was not moved to another disk', { ...fields, code: error.code })
    }
  }
}

async function readPlaces({ store, signal }: JobContext): Promise<readonly DayPlace[]> {
  const { cluster } = store
  const from = cluster === undefined ? 'system.parts' : `cluster('${cluster.name}', system.parts)`
  const rows = await store.query<{ partition: string; disk: string }>({
    sql: `SELECT DISTINCT partition, disk_name AS disk FROM ${from}
      WHERE database = ${cluster === undefined ? 'currentDatabase()' : '{database: String}'}
      AND table = {table: String} AND active AND rows > 0`,
    params: {
      table: localName('events', cluster),
      ...(cluster === undefined ? {} : { database: cluster.database }),
    },
    timeoutMs: LOOK_MS,
    signal,
  })
  return rows.flatMap(({ partition, disk }) => {
    const [policyId, date] = partition.replace(/[()]/g, '').split(',').map(Number)
    return policyId === undefined || date === undefined ? [] : [{ policyId, date, disk }]
  })
}
