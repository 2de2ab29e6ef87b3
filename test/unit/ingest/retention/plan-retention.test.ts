// The plan of retention against a naive model that looks at one day after the other.
import { expect, it } from 'vitest'
import type { StoredUnit } from '../../../../infra/store/read-units.ts'
import { planRetention, type RetainingPolicy } from '../../../../ingest/retention/plan-retention.ts'

const DAY_MS = 86_400_000
const TODAY = 20_000
const FOR_EVER = { storageDays: null, storageMaxBytes: null }

const plan = (
  units: readonly StoredUnit[],
  policy: Partial<RetainingPolicy>,
  { today = TODAY, held = [] }: { today?: number; held?: readonly number[] } = {},
) =>
  planRetention({
    nowMs: today * DAY_MS + 1000,
    units,
    policies: [{ id: 1, ...FOR_EVER, ...policy }],
    isHeld: ({ day }) => held.includes(day),
  })

const unit = (day: number, bytes = 10, policyId = 1): StoredUnit => ({
  policyId,
  day,
  events: 1,
  bytes,
  compactBytes: 0,
})
const daysBefore = (...ages: number[]) => ages.map((age) => unit(TODAY - age))
const ages = (removals: readonly { day: number }[]) => removals.map(({ day }) => TODAY - day)

it('keeps every day for as many whole days after its end as the policy says', () => {
  const units = daysBefore(0, 1, 2, 29, 30, 31, 32)
  expect(ages(plan(units, { storageDays: 30 }).removals)).toEqual([32, 31])
  expect(ages(plan(units, { storageDays: 1 }).removals)).toEqual([32, 31, 30, 29, 2])
  expect(plan(units, {}).removals).toEqual([])
})

it('takes the oldest days first until the rest fits, and never today or yesterday', () => {
  const units = daysBefore(0, 1, 2, 3, 4)
  expect(ages(plan(units, { storageMaxBytes: 30 }).removals)).toEqual([4, 3])
  expect(plan(units, { storageMaxBytes: 50 }).removals).toEqual([])
  const tight = plan(units, { storageMaxBytes: 5 })
  expect(ages(tight.removals)).toEqual([4, 3, 2])
  expect(tight.full).toEqual([{ policyId: 1, bytes: 20, maxBytes: 5 }])
})

it('leaves what a legal hold keeps, counts it, and says so', () => {
  const held = [TODAY - 4]
  const bySize = plan(daysBefore(0, 1, 2, 3, 4), { storageMaxBytes: 30 }, { held })
  expect(ages(bySize.removals)).toEqual([3, 2])
  expect(ages(bySize.held)).toEqual([4])
  const byAge = plan(daysBefore(0, 3, 4), { storageDays: 1 }, { held })
  expect(ages(byAge.removals)).toEqual([3])
  expect(byAge.held).toEqual([{ policyId: 1, day: TODAY - 4, cause: 'age' }])
})

it('believes no clock that is ahead of everything that was received', () => {
  const units = daysBefore(0, 1, 2, 3)
  expect(plan(units, { storageDays: 2 }, { today: TODAY + 3650 }).removals).toHaveLength(2)
  expect(plan([unit(TODAY)], { storageDays: 1 }, { today: TODAY + 3650 }).removals).toEqual([])
})

it('touches no unit of another policy, and none whose policy is unknown', () => {
  const units = [unit(TODAY - 40), unit(TODAY - 40, 10, 2), unit(TODAY, 10, 2)]
  expect(plan(units, { storageDays: 5, storageMaxBytes: 1 }).removals).toEqual([
    { policyId: 1, day: TODAY - 40, cause: 'age' },
  ])
})

it('equals a naive model over random units, policies and holds', () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  for (let round = 0; round < 400; round += 1) {
    const policies = [1, 2, 3].map((id) => ({
      id,
      storageDays: random(3) === 0 ? null : 1 + random(12),
      storageMaxBytes: random(3) === 0 ? null : 1 + random(120),
    }))
    const units = policies.flatMap(({ id }) =>
      Array.from({ length: 15 }, (_, age) => age)
        .filter(() => random(3) > 0)
        .map((age) => unit(TODAY - age, 1 + random(20), id)),
    )
    const held = new Set(units.filter(() => random(6) === 0))
    const isHeld = ({ policyId, day }: { policyId: number; day: number }) =>
      [...held].some((one) => one.policyId === policyId && one.day === day)
    const found = planRetention({ nowMs: TODAY * DAY_MS, units, policies, isHeld })
    const left = new Set(units)
    const newest = Math.max(0, ...units.map(({ day }) => day))
    const today = Math.min(TODAY, newest + 1)
    for (const { id, storageDays, storageMaxBytes } of policies)
      for (let day = 0; day <= 30; day += 1) {
        const one = units.find((it) => it.policyId === id && it.day === today - 32 + day)
        if (one === undefined || held.has(one) || one.day > today - 2) continue
        const bytes = [...left].filter(({ policyId }) => policyId === id)
        const sum = bytes.reduce((all, it) => all + it.bytes, 0)
        const isOld = storageDays !== null && (one.day + 1 + storageDays) * DAY_MS <= today * DAY_MS
        const oldBytes = bytes
          .filter((it) => storageDays !== null && it.day < today - storageDays && !held.has(it))
          .filter((it) => it.day <= today - 2 && !isOld)
          .reduce((all, it) => all + it.bytes, 0)
        const isTooMuch = storageMaxBytes !== null && sum - oldBytes > storageMaxBytes
        if (isOld || isTooMuch) left.delete(one)
      }
    const gone = (it: { policyId: number; day: number }) => `${it.policyId} ${it.day}`
    expect([round, found.removals.map(gone).sort()]).toEqual([
      round,
      units
        .filter((it) => !left.has(it))
        .map(gone)
        .sort(),
    ])
  }
})
