// Credits once more, one unit at a time: whole numbers, no bookings, no order of reports.

export type NaiveGrant = {
  readonly id: string
  readonly units: number
  readonly priority: number
  readonly from: number
  /** Infinity: never. */
  readonly until: number
  /** Infinity: never taken back. */
  readonly voided: number
}

export type NaiveBalance = {
  readonly left: Readonly<Record<string, number>>
  readonly burned: Readonly<Record<string, number>>
  readonly uncovered: number
}

/** `usage`: units by moment; of one moment in any order. What is left may have expired since. */
export function spendCredits(
  grants: readonly NaiveGrant[],
  usage: readonly { readonly at: number; readonly units: number }[],
): NaiveBalance {
  const left = Object.fromEntries(grants.map(({ id, units }) => [id, units]))
  const burned = Object.fromEntries(grants.map(({ id }) => [id, 0]))
  let uncovered = 0
  for (const { at, units } of [...usage].sort((a, b) => a.at - b.at)) {
    for (let unit = 0; unit < units; unit++) {
      let best: NaiveGrant | undefined
      for (const grant of grants) {
        const pays = grant.from <= at && at < grant.until && at < grant.voided
        if (!pays || (left[grant.id] ?? 0) === 0) continue
        if (best === undefined || isBefore(grant, best)) best = grant
      }
      if (best === undefined) uncovered += 1
      else {
        left[best.id] = (left[best.id] ?? 0) - 1
        burned[best.id] = (burned[best.id] ?? 0) + 1
      }
    }
  }
  return { left, burned, uncovered }
}

function isBefore(a: NaiveGrant, b: NaiveGrant): boolean {
  if (a.priority !== b.priority) return a.priority < b.priority
  if (a.until !== b.until) return a.until < b.until
  if (a.from !== b.from) return a.from < b.from
  return a.id < b.id
}
