// How many idempotency keys are stored is counted by the writer, and at each start the ledger asks
// the store for as many: a difference is told as damage. So the two agree, however blocks were cut
// into batches and whatever became of their events.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../infra/database/open.ts'
import { addAccount } from '../../../infra/metastore/accounts/listener-accounts.ts'
import { parseState } from '../../../ingest/writer/position-state.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { openWriterPlace, type WriterPlace } from '../../support/writer/writer-place.ts'

let place: WriterPlace
/** Of whose events none is stored. */
let droppedId: number

beforeAll(async () => {
  place = await openWriterPlace()
  const database = await openDatabase({ dataDir: place.dataDir, url: place.databaseUrl })
  const made = await database.write((transaction) =>
    addAccount(transaction, testClock, 'dropped', { sampledPercent: 0 }),
  )
  droppedId = made.account.id
  await database.close()
})
beforeEach(() => place.clear())
afterAll(() => place.close())

let number = 0
const keyed = (events: number, accountId = 1) => {
  number += 1
  const messages = Array.from({ length: events }, (_, at) => ({ message: `m ${number} ${at}` }))
  return { events: messages, accountId, idempotencyKey: `key ${number}` }
}

/** Since the place was last cleared. */
async function counts(before: number): Promise<{ counted: number; stored: number }> {
  const [row] = await place.engine.store.query<{ stored: string }>({
    sql: 'SELECT uniqExact(partition, key_hash, offset, request) AS stored FROM idempotency',
  })
  return { counted: (await counted()) - before, stored: Number(row?.stored) }
}

async function counted(): Promise<number> {
  const { metadata } = await place.eventLog.position(0)
  const keys = parseState(metadata)?.stored?.keys ?? new Map<number, number>()
  return [...keys.values()].reduce((sum, rows) => sum + rows, 0)
}

describe('the writer counts the keys that it stores', () => {
  test('of blocks that are cut into several batches', async () => {
    const before = await counted()
    for (let block = 0; block < 3; block += 1)
      await place.append([keyed(4), keyed(4), keyed(4), keyed(4)])
    await place.storeAll({ limits: { maxBatchRows: 5 } })
    expect(await place.rows()).toHaveLength(48)
    expect(await counts(before)).toEqual({ counted: 12, stored: 12 })
  })

  test('of requests of which no event is stored', async () => {
    const before = await counted()
    await place.append([keyed(3, droppedId), keyed(3, droppedId)])
    await place.storeAll()
    expect(await place.rows()).toEqual([])
    expect(await counts(before)).toEqual({ counted: 2, stored: 2 })
    // Cut by what is dropped, too.
    await place.append([keyed(3, droppedId), keyed(3, droppedId), keyed(2)])
    await place.storeAll({ limits: { maxBatchRows: 2 } })
    expect(await place.rows()).toHaveLength(2)
    expect(await counts(before)).toEqual({ counted: 5, stored: 5 })
  })

  test('of a block that the store refuses and is halved', async () => {
    const before = await counted()
    const poisoned = keyed(1)
    await place.append([
      keyed(4),
      { ...poisoned, events: [{ message: 'POISON' }] },
      keyed(6),
      keyed(5, droppedId),
    ])
    await place.storeAll({ refusedText: 'POISON' })
    expect(await place.rows()).toHaveLength(11)
    expect(await counts(before)).toEqual({ counted: 4, stored: 4 })
  })
})
