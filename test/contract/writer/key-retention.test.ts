import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { dropOldKeys } from '../../../ingest/writer/keys/key-retention.ts'
import { openSharedStore, type SharedStore } from '../../support/store/shared-store.ts'

const NOW_MS = Date.UTC(2026, 10, 21, 12)

let engine: SharedStore
beforeAll(async () => {
  engine = await openSharedStore()
})
afterAll(() => engine.stop())

beforeEach(() => engine.store.command({ sql: 'TRUNCATE TABLE idempotency' }))

async function addKeys(...days: string[]): Promise<void> {
  for (const day of days) {
    await engine.store.command({
      sql: `INSERT INTO idempotency SELECT 0, unhex('00112233445566778899aabbccddeeff'), 1, 0, toDateTime64('${day} 23:00:00', 3, 'UTC')`,
    })
  }
}

function days(): Promise<{ day: string }[]> {
  return engine.store.query<{ day: string }>({
    sql: 'SELECT toString(toDate(received)) AS day FROM idempotency ORDER BY day',
  })
}

it('drops the days of idempotency keys that are over for three days, and no other', async () => {
  await dropOldKeys(engine.store, NOW_MS)
  await addKeys('2026-11-10', '2026-11-17', '2026-11-18', '2026-11-21')
  await dropOldKeys(engine.store, NOW_MS)
  expect(await days()).toEqual([{ day: '2026-11-18' }, { day: '2026-11-21' }])
  await dropOldKeys(engine.store, NOW_MS)
  expect(await days()).toHaveLength(2)
})

it('keeps what a writer needs that is days behind, whatever the clock says', async () => {
  await addKeys('2026-11-10', '2026-11-11')
  await dropOldKeys(engine.store, NOW_MS)
  expect(await days()).toHaveLength(2)
})
