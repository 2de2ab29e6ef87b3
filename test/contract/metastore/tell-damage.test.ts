// What readiness tells of damage, which anybody may ask.
import { expect, it } from 'vitest'
import { keepDamage } from '../../../infra/metastore/ledger/store-damage.ts'
import { tellDamage } from '../../../infra/metastore/ledger/tell-damage.ts'
import { open, useMetastores } from '../../support/database/open-metastores.ts'

useMetastores()

const COMMON = { policyId: 1, partition: 0, bytes: 0, fromMs: null, toMs: null, foundMs: 1 }

it('tells strangers neither how many logs are damaged nor how much of each', async () => {
  const metastore = await open()
  const damage = [3, 4].map((logId) => ({
    ...{ ...COMMON, id: `d${logId}`, kind: 'events' as const, day: 20_000, logId, events: logId },
  }))
  const check = { checkedMs: 1, units: 1, events: 100, damage, accepted: 0 }
  expect(await keepDamage(metastore.database, check)).toBe(true)
  const told = await tellDamage(metastore, { withLogs: false })
  expect(told).toMatchObject({ events: 7, items: [{ kind: 'events', log: null, events: 7 }] })
  expect(told?.items).toHaveLength(1)
  expect((await tellDamage(metastore, { withLogs: true }))?.items).toHaveLength(2)
})
