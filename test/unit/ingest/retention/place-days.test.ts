// Which days move to another disk: an example each of what moves and what stays.
import { expect, it } from 'vitest'
import { planMoves } from '../../../../ingest/retention/place-days.ts'
import { collectionPolicySchema } from '../../../../schemas/collection-policy.ts'

const NOW_MS = Date.UTC(2026, 2, 10, 1)
const disk = (name: string, directory: string, isOurs = true) => ({
  ...{ name, directory, isOurs, freeBytes: 1, totalBytes: 2 },
})
const DISKS = [disk('default', '/data'), disk('logeye_1', '/cold')]
const policies = (given: object) => [{ id: 1, policy: collectionPolicySchema.parse(given) }]
const plan = (given: object, places: readonly [number, number, string][], disks = DISKS) =>
  planMoves({
    nowMs: NOW_MS,
    places: places.map(([policyId, date, on]) => ({ policyId, date, disk: on })),
    disks,
    policies: policies(given),
  }).map(({ policyId, date, disk: to }) => `${policyId} ${date} ${to}`)

it('moves the day before yesterday and older ones, oldest first, each once', () => {
  const places: [number, number, string][] = [
    [1, 20260310, 'default'],
    [1, 20260309, 'default'],
    [1, 20260308, 'default'],
    [1, 20260301, 'default'],
    [1, 20260301, 'logeye_1'],
    [1, 20260228, 'logeye_1'],
  ]
  expect(plan({ storageDirectory: '/cold' }, places)).toEqual([
    '1 20260301 logeye_1',
    '1 20260308 logeye_1',
  ])
  expect(plan({ storageDirectory: '/cold', storageDirectoryDays: 5 }, places)).toEqual([
    '1 20260301 logeye_1',
  ])
})

it('takes days back where the policy names none, but not on a server with rules of its own', () => {
  const places: [number, number, string][] = [[1, 20260301, 'logeye_1']]
  expect(plan({}, places)).toEqual(['1 20260301 default'])
  const served = [disk('default', '/data', false), disk('slow', '/cold', false)]
  expect(plan({}, [[1, 20260301, 'slow']], served)).toEqual([])
  expect(plan({ storageDirectory: '/cold' }, [[1, 20260301, 'default']], served)).toEqual([
    '1 20260301 slow',
  ])
})

it('leaves alone what no disk has, thawed days, and days of a policy that is not known', () => {
  expect(plan({ storageDirectory: '/none' }, [[1, 20260301, 'default']])).toEqual([])
  expect(plan({}, [[32_768, 20260301, 'logeye_1']])).toEqual([])
  expect(plan({}, [[7, 20260301, 'logeye_1']])).toEqual([])
})
