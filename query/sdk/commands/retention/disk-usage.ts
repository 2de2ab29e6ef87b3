// diskUsage: parts of the store by unit, and the counters for the share of each log.
import { readAllPolicies } from '../../../../infra/metastore/policies/collection-policies.ts'
import { readLogPaths } from '../../../../infra/metastore/retention/log-paths.ts'
import { readRemovals } from '../../../../infra/metastore/retention/unit-removals.ts'
import { readUnits } from '../../../../infra/store/read-units.ts'
import { isThawedUnit } from '../../../../schemas/archive/thawed-unit.ts'
import { printDay } from '../../../../schemas/keep/store-damage.ts'
import { LEVEL_SEPARATOR } from '../../../../schemas/names/log-path.ts'
import { diskUsage as published } from '../../../../schemas/sdk/retention/disk-usage.ts'
import { type CommandTools, serveCommand } from '../../server/serve-command.ts'

const USUAL_TOP = 20
/** Days that a thaw brought back. */
const THAWED = '(thawed)'
const LIMIT_MS = 60_000
const SHARES = `SELECT policy, toUInt32(intDiv(toUnixTimestamp(quarter), 86400)) AS day, log_id,
  sum(counts.events) AS events, sum(counts.bytes) AS bytes FROM counts GROUP BY policy, day, log_id`

type Share = { policy: number; day: number; log_id: number; events: string; bytes: string }

export const diskUsage = serveCommand(published, async ({ top = USUAL_TOP }, tools) => {
  const { database, store } = tools
  const signal = AbortSignal.timeout(LIMIT_MS)
  const policies = await readAllPolicies(database.read)
  const units = await readUnits(store, signal)
  const shares = await store.query<Share>({ sql: SHARES, timeoutMs: LIMIT_MS, signal })
  const removals = await readRemovals(database.read, top)
  const nameOf = (id: number) =>
    policies.find((it) => it.id === id)?.name ?? (isThawedUnit(id) ? THAWED : `policy ${id}`)
  const isInForce = (id: number) =>
    policies.find((it) => it.id === id)?.retainsSinceMs !== undefined
  const day = (number: number) => printDay(number) ?? ''
  const goesOn = (unit: { policyId: number; day: number }) => {
    const { policy } = policies.find(({ id }) => id === unit.policyId) ?? {}
    const kept = isInForce(unit.policyId) ? (policy?.storageDays ?? null) : null
    return kept === null ? null : day(unit.day + 1 + kept)
  }
  const answer = {
    policies: policies.flatMap(({ id, name, policy, isRemoved }) => {
      const own = units.filter(({ policyId }) => policyId === id)
      if (isRemoved && own.length === 0) return []
      const days = own.map((unit) => unit.day)
      return {
        ...{ policy: name, isRemoved },
        events: own.reduce((sum, { events }) => sum + events, 0),
        bytes: own.reduce((sum, { bytes }) => sum + bytes, 0),
        compactBytes: own.reduce((sum, { compactBytes }) => sum + compactBytes, 0),
        storageDays: policy.storageDays,
        storageMaxBytes: policy.storageMaxBytes,
        oldestDay: days.length === 0 ? null : day(Math.min(...days)),
      }
    }),
    days: units
      .toSorted((a, b) => b.day - a.day || a.policyId - b.policyId)
      .slice(0, top)
      .map((unit) => ({
        day: day(unit.day),
        policy: nameOf(unit.policyId),
        events: unit.events,
        bytes: unit.bytes,
        compactBytes: unit.compactBytes,
        goesOn: goesOn(unit),
      })),
    logs: await readLogs(tools, { units, shares, top, nameOf }),
    removed: removals.map((removal) => ({
      day: day(removal.day),
      policy: nameOf(removal.policyId),
      cause: removal.cause,
      isDone: !removal.isOpen,
      events: removal.events,
      at: new Date(removal.endedMs ?? removal.begunMs).toISOString(),
    })),
  }
  return () => Promise.resolve(answer)
})

async function readLogs(
  tools: CommandTools,
  {
    units,
    shares,
    top,
    nameOf,
  }: {
    units: Awaited<ReturnType<typeof readUnits>>
    shares: readonly Share[]
    top: number
    nameOf: (id: number) => string
  },
) {
  const kept = new Map(units.map((unit) => [`${unit.policyId} ${unit.day}`, unit]))
  const received = new Map<string, number>()
  const keyOf = ({ policy, day }: Share) => `${policy} ${day}`
  for (const share of shares)
    received.set(keyOf(share), (received.get(keyOf(share)) ?? 0) + Number(share.bytes))
  const logs = new Map<number, { policyId: number; events: number; bytes: number }>()
  for (const share of shares) {
    const unit = kept.get(keyOf(share))
    if (unit === undefined) continue
    const before = logs.get(share.log_id) ?? { policyId: share.policy, events: 0, bytes: 0 }
    const part = Number(share.bytes) / Math.max(1, received.get(keyOf(share)) ?? 1)
    logs.set(share.log_id, {
      policyId: share.policy,
      events: before.events + Number(share.events),
      bytes: before.bytes + Math.round(unit.bytes * part),
    })
  }
  const paths = await readLogPaths(tools.database.read)
  const { logs: visible } = await tools.objects.viewer()
  return [...logs]
    .toSorted(([, a], [, b]) => b.bytes - a.bytes)
    .slice(0, top)
    .map(([id, { policyId, events, bytes }]) => {
      const path = visible === 'all' || visible.has(id) ? paths(id) : undefined
      const log = path === undefined || path.isRemoved ? '' : path.levels.join(LEVEL_SEPARATOR)
      return { log, policy: nameOf(policyId), events, bytes }
    })
}
