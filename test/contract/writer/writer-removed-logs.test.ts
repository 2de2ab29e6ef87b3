// Logs that are removed while events come (docs/decisions/0036): an event that is received after
// the removal makes its log again, whenever in the writer's round the removal falls.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeNode } from '../../../infra/metastore/tree/remove-node.ts'
import { logPathKey } from '../../../schemas/names/log-path.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { waitUntil } from '../../support/run/wait-until.ts'
import { openWriterPlace, type WriterPlace } from '../../support/writer/writer-place.ts'

/** Of the log or of its folder: as soon as its event is stored, or after the idle writer has looked
 *  for blocks once more. */
const REMOVALS = [
  { kind: 'log', isIdle: false },
  { kind: 'folder', isIdle: false },
  { kind: 'log', isIdle: true },
  { kind: 'folder', isIdle: true },
] as const

let place: WriterPlace
beforeAll(async () => {
  place = await openWriterPlace()
})
afterAll(() => place.close())

const remove = (kind: 'log' | 'folder', ...levels: string[]) =>
  place.metastore.database.write((transaction) =>
    removeNode(transaction, testClock, { kind, levels }),
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
    timeout: 240_000,
  }, async () => {
    const writer = await place.openWriter()
    try {
      await send('first', 'a')
      const [row] = await place.rows()
      for (const [i, { kind, isIdle }] of REMOVALS.entries()) {
        const before = writer.lookups()
        if (isIdle) await waitUntil('the writer looks again', () => writer.lookups() > before + 1)
        await remove(kind, ...(kind === 'log' ? ['Events', 'a'] : ['Events']))
        await send(`after ${i}`, 'a')
        expect([i, await logId()]).toEqual([i, row?.log_id])
      }
      const rows = await place.rows()
      expect(rows.map(({ message }) => message)).toEqual([
        'first',
        ...REMOVALS.map((_, i) => `after ${i}`),
      ])
      expect(new Set(rows.map(({ log_id }) => log_id))).toEqual(new Set([row?.log_id]))
      expect(await place.countDifferences()).toEqual([])
      expect(writer.logged).toEqual([])
    } finally {
      await writer.close()
    }
  })
})
