// Logs that are removed while events come (docs/decisions/0036): an event that is received after
// the removal makes its log again, whenever in the writer's round the removal falls.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../infra/clock.ts'
import { removeNode } from '../../../infra/metastore/tree/remove-node.ts'
import { logPathKey } from '../../../schemas/names/log-path.ts'
import { openWriterPlace, type WriterPlace } from '../../support/writer/writer-place.ts'

/** An idle writer looks for blocks for a second at a time. */
const WAITS_MS = [0, 30, 150, 400, 700, 950]

let place: WriterPlace
beforeAll(async () => {
  place = await openWriterPlace()
})
afterAll(() => place.close())

const remove = (kind: 'log' | 'folder', ...levels: string[]) =>
  place.metastore.database.write((transaction) =>
    removeNode(transaction, systemClock, { kind, levels }),
  )

async function send(message: string, log: string): Promise<void> {
  await place.append([{ accountId: 1, events: [{ message, log }] }])
  await place.waitStored()
}

/** Of the log `a`, where it is in the tree. */
async function logId(): Promise<number | undefined> {
  return (await place.metastore.tree()).logsByPath.get(logPathKey(['Events'], 'a'))?.id
}

describe('an event that is received after its log was removed', () => {
  test('is found in the log, which is made again, however the writer was at work', {
    timeout: 120_000,
  }, async () => {
    const writer = await place.openWriter()
    try {
      await send('first', 'a')
      const [row] = await place.rows()
      for (const [i, waitMs] of WAITS_MS.entries()) {
        await systemClock.sleep(waitMs)
        if (i % 2 === 0) await remove('log', 'Events', 'a')
        else await remove('folder', 'Events')
        await send(`after ${i}`, 'a')
        expect([waitMs, await logId()]).toEqual([waitMs, row?.log_id])
      }
      const rows = await place.rows()
      expect(rows.map(({ message }) => message)).toEqual([
        'first',
        ...WAITS_MS.map((_, i) => `after ${i}`),
      ])
      expect(new Set(rows.map(({ log_id }) => log_id))).toEqual(new Set([row?.log_id]))
      expect(await place.countDifferences()).toEqual([])
      expect(writer.logged).toEqual([])
    } finally {
      await writer.close()
    }
  })
})
