// Which units (policy, day of receipt in UTC) go, and why. Pure (docs/decisions/0084).

import type { RemovalCause, RemovedUnit } from '../../infra/metastore/retention/unit-removals.ts'
import type { StoredUnit } from '../../infra/store/read-units.ts'
import { isThawedUnit } from '../../schemas/archive/thawed-unit.ts'

const DAY_MS = 86_400_000
/** Today and yesterday are never taken: the writer writes them. */
const WRITTEN_DAYS = 2

export type RetainingPolicy = {
  readonly id: number
  /** Null: for ever. */
  readonly storageDays: number | null
  /** Null: no limit. */
  readonly storageMaxBytes: number | null
}

export type PlannedRemoval = RemovedUnit & { readonly cause: RemovalCause }

export type RetentionPlan = {
  /** Oldest first. */
  readonly removals: readonly PlannedRemoval[]
  /** Would go, and are held. */
  readonly held: readonly PlannedRemoval[]
  /** Policies whose events take more than they may when all that may go is gone. */
  readonly full: readonly {
    readonly policyId: number
    readonly bytes: number
    readonly maxBytes: number
  }[]
}

/**
 * A day is kept for as many whole days after its end as the policy says, so no event goes early. By
 * size the oldest days go first. `isHeld`: by a legal hold.
 */
export function planRetention(options: {
  readonly nowMs: number
  readonly units: readonly StoredUnit[]
  readonly policies: readonly RetainingPolicy[]
  readonly isHeld: (unit: RemovedUnit) => boolean
}): RetentionPlan {
  const { units, policies, isHeld } = options
  const today = todayOf(options)
  const removals: PlannedRemoval[] = []
  const held: PlannedRemoval[] = []
  const full: { policyId: number; bytes: number; maxBytes: number }[] = []
  for (const { id, storageDays, storageMaxBytes } of policies) {
    let bytes = 0
    const kept: StoredUnit[] = []
    const mine = units.filter(({ policyId }) => policyId === id).sort((a, b) => a.day - b.day)
    for (const unit of mine) {
      const isOver = storageDays !== null && unit.day < today - storageDays
      const mayGo = unit.day <= today - WRITTEN_DAYS
      if (isOver && mayGo && !isHeld(unit)) {
        removals.push(plannedOf(unit, 'age'))
        continue
      }
      if (isOver && mayGo) held.push(plannedOf(unit, 'age'))
      else kept.push(unit)
      bytes += unit.bytes
    }
    if (storageMaxBytes === null) continue
    for (const unit of kept) {
      if (bytes <= storageMaxBytes || unit.day > today - WRITTEN_DAYS) break
      if (isHeld(unit)) {
        held.push(plannedOf(unit, 'size'))
        continue
      }
      removals.push(plannedOf(unit, 'size'))
      bytes -= unit.bytes
    }
    if (bytes > storageMaxBytes) full.push({ policyId: id, bytes, maxBytes: storageMaxBytes })
  }
  removals.sort((a, b) => a.day - b.day || a.policyId - b.policyId)
  return { removals, held, full }
}

/** A clock that is ahead of everything that was received takes nothing away: the day after the
 *  newest unit is the latest that counts as today. */
export function todayOf(of: {
  readonly nowMs: number
  readonly units: readonly StoredUnit[]
}): number {
  const { nowMs, units } = of
  const received = units.filter(({ policyId }) => !isThawedUnit(policyId))
  const newest = received.reduce((day, unit) => Math.max(day, unit.day), 0)
  return Math.min(Math.floor(nowMs / DAY_MS), newest + 1)
}

function plannedOf({ policyId, day }: StoredUnit, cause: RemovalCause): PlannedRemoval {
  return { policyId, day, cause }
}
