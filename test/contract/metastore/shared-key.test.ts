// Keys that all processes of a database share, on a real database of either kind.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSharedKey } from '../../../infra/metastore/shared-key.ts'
import { type DatabasePlace, makeDatabasePlace } from '../../support/database/database-place.ts'
import { testClock } from '../../support/run/test-clock.ts'

let place: DatabasePlace
beforeEach(async () => {
  place = await makeDatabasePlace()
})
afterEach(() => place.remove())

describe('a shared key', () => {
  it('is made once, is another for each name, and stays over a new start', async () => {
    const first = await place.open()
    const key = await openSharedKey(first, 'receipt', testClock)
    expect(key).toHaveLength(32)
    expect(await openSharedKey(first, 'places', testClock)).not.toEqual(key)
    expect(await openSharedKey(await place.open(), 'receipt', testClock)).toEqual(key)
  })

  it('is the same for processes that make it at the same moment', async () => {
    const databases = await Promise.all([1, 2, 3, 4].map(() => place.open()))
    const keys = await Promise.all(databases.map((it) => openSharedKey(it, 'receipt', testClock)))
    expect(new Set(keys.map((it) => it.toString('hex'))).size).toBe(1)
  })

  it('refuses the start when it is damaged, since a new one would make good receipts bad', async () => {
    const database = await place.open()
    await openSharedKey(database, 'receipt', testClock)
    await database.write((t) => t.updateTable('shared_keys').set({ key: '00' }).execute())
    await expect(openSharedKey(database, 'receipt', testClock)).rejects.toThrow('is damaged')
  })
})
