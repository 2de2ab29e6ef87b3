import { describe, expect, it } from 'vitest'
import { Lease } from '../../../infra/database/lease.ts'
import type { DatabaseTransaction } from '../../../infra/database/port.ts'
import { removeOldAudit } from '../../../infra/metastore/audit/audit-retention.ts'
import { insertAudit } from '../../../infra/metastore/audit/audit-writer.ts'
import type { OpenedMetastore } from '../../../infra/metastore/open.ts'
import { setSetting } from '../../../infra/metastore/settings/setting-changes.ts'
import { open, useMetastores } from '../../support/database/open-metastores.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

useMetastores()

const DAY_MS = 86_400_000

async function addEntries(metastore: OpenedMetastore, agesDays: readonly number[]): Promise<void> {
  const entries = agesDays.map((days) => ({
    entry: {
      userId: null,
      userName: 'u',
      address: '::1',
      action: 'test',
      target: String(days),
      result: 'done',
    },
    atMs: testClock.nowMs() - days * DAY_MS,
  }))
  await metastore.database.write(async (transaction) => {
    await insertAudit(transaction, entries)
    await copyAll(transaction)
  })
}

/** As if all entries were copied into the event log. */
async function copyAll(transaction: DatabaseTransaction): Promise<void> {
  await transaction.deleteFrom('audit_copies').execute()
  const copied = { number: 1, first_id: 1, last_id: 1_000_000, begun_ms: 0, is_done: 1 } as const
  await transaction.insertInto('audit_copies').values(copied).execute()
}

async function kept(metastore: OpenedMetastore): Promise<string[]> {
  const rows = await metastore.database.read
    .selectFrom('audit')
    .select('target')
    .where('action', '=', 'test')
    .orderBy('at_ms')
    .execute()
  return rows.map(({ target }) => target)
}

function remove(metastore: OpenedMetastore, signal = new AbortController().signal) {
  const { database } = metastore
  return removeOldAudit({ database, metastore, clock: testClock, signal })
}

describe('the audit log', () => {
  it('keeps 400 days, or as many as the setting says', async () => {
    const metastore = await open()
    await addEntries(metastore, [5000, 401, 399, 8, 6, 0])
    expect(await remove(metastore)).toBe(2)
    expect(await kept(metastore)).toEqual(['399', '8', '6', '0'])
    await metastore.database.write((t) => setSetting(t, 'system.auditDays', '7'))
    await waitUntil('it is known', () => metastore.setting('system.auditDays') === 7)
    expect(await remove(metastore)).toBe(2)
    expect(await kept(metastore)).toEqual(['6', '0'])
    expect(await remove(metastore)).toBe(0)
  })

  it('is shortened in small transactions, between which others write', async () => {
    const metastore = await open()
    const old = Array.from({ length: 1000 }, (_, i) => 500 + i)
    for (let at = 0; at < old.length; at += 200)
      await addEntries(metastore, old.slice(at, at + 200))
    const write = metastore.database.write
    const sizes: number[] = []
    const database = {
      ...metastore.database,
      read: metastore.database.read,
      write: async <T>(work: Parameters<typeof write<T>>[0]) => {
        const before = (await kept(metastore)).length
        const result = await write(work)
        sizes.push(before - (await kept(metastore)).length)
        await addEntries(metastore, [1])
        return result
      },
    }
    const { signal } = new AbortController()
    expect(await removeOldAudit({ database, metastore, clock: testClock, signal })).toBe(1000)
    // The first says in the evidence which entries go.
    expect(sizes).toEqual([0, 500, 500, 0])
    expect(await kept(metastore)).toEqual(['1', '1', '1', '1'])
  })

  it('keeps what is not copied into the event log', async () => {
    const metastore = await open()
    await addEntries(metastore, [500, 501, 502])
    const { id } = await metastore.database.read
      .selectFrom('audit')
      .select('id')
      .where('target', '=', '501')
      .executeTakeFirstOrThrow()
    const begin = { number: 2, first_id: Number(id), last_id: 1_000_000, begun_ms: 0, is_done: 0 }
    await metastore.database.write((transaction) =>
      transaction
        .insertInto('audit_copies')
        .values({ ...begin, is_done: 0 })
        .execute(),
    )
    expect(await remove(metastore)).toBe(1)
    expect(await kept(metastore)).toEqual(['502', '501'])
    await metastore.database.write((transaction) =>
      transaction.deleteFrom('audit_copies').execute(),
    )
    expect(await remove(metastore)).toBe(0)
  })

  it('is left alone once a stop has begun', async () => {
    const metastore = await open()
    await addEntries(metastore, [500])
    expect(await remove(metastore, AbortSignal.abort())).toBe(0)
    expect(await kept(metastore)).toEqual(['500'])
  })

  it('is left alone by who has lost the lease', async () => {
    const metastore = await open()
    await addEntries(metastore, [500])
    const { database } = metastore
    const lease = new Lease({ database, clock: testClock, name: 'scheduler' })
    const fence = await lease.tryTake()
    if (fence === undefined) throw new Error('the lease is not free')
    await lease.release()
    await new Lease({ database, clock: testClock, name: 'scheduler' }).tryTake()
    const { signal } = new AbortController()
    const removing = removeOldAudit({ database, metastore, clock: testClock, signal, fence })
    await expect(removing).rejects.toMatchObject({ code: 'database.lease_lost' })
    expect(await kept(metastore)).toEqual(['500'])
  })
})
