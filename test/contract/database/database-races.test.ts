// Laws that hold for two connections which do the same at the same moment, as two processes do.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../../infra/database/port.ts'
import { addAccount, changeAccount } from '../../../infra/metastore/accounts/listener-accounts.ts'
import { insertAudit } from '../../../infra/metastore/audit/audit-writer.ts'
import { runFirstStart } from '../../../infra/metastore/first-start.ts'
import { openMetastore } from '../../../infra/metastore/open.ts'
import {
  addResult,
  finishResult,
  listResultIds,
  passPage,
  takePage,
} from '../../../infra/metastore/searches/search-results.ts'
import { seed } from '../../../infra/metastore/seed.ts'
import { ensureAppTags } from '../../../infra/metastore/tree/named-objects.ts'
import { removeNode } from '../../../infra/metastore/tree/remove-node.ts'
import { addUser, editUser } from '../../../infra/metastore/users/user-changes.ts'
import { type DatabasePlace, makeDatabasePlace } from '../../support/database/database-place.ts'
import { silentLogger } from '../../support/database/query-database.ts'
import { testClock } from '../../support/run/test-clock.ts'

let place: DatabasePlace
let both: readonly [Database, Database]

beforeEach(async () => {
  place = await makeDatabasePlace()
  both = [await place.open(), await place.open()]
  await seed(both[0], testClock)
})
afterEach(() => place.remove())

/** `count` calls, every second one at the other connection, all at once; what was given, or the
 *  code of the failure. */
async function race<T>(count: number, run: (database: Database, index: number) => Promise<T>) {
  const calls = Array.from({ length: count }, (_, index) =>
    run(both[index % 2 === 0 ? 0 : 1], index),
  )
  const settled = await Promise.allSettled(calls)
  const done = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
  return { done, failed }
}

describe('two at once', () => {
  it('make one user, account and tag of a name, whatever its letter case', async () => {
    const passwordHash = 'x'
    const users = await race(10, (database, index) =>
      database.write((t) => addUser(t, index % 4 < 2 ? 'Ann' : 'aNN', { passwordHash })),
    )
    expect([users.done.length, new Set(users.failed)]).toEqual([1, new Set(['object.exists'])])
    const accounts = await race(10, (database, index) =>
      database.write((t) => addAccount(t, testClock, index % 4 < 2 ? 'Web' : 'wEB', {})),
    )
    expect([accounts.done.length, new Set(accounts.failed)]).toEqual([
      1,
      new Set(['object.exists']),
    ])
    const tags = await race(10, (database, index) =>
      database.write((t) => ensureAppTags(t, [index % 4 < 2 ? 'Tag' : 'tAG'])),
    )
    expect(tags.failed).toEqual([])
    expect(new Set(tags.done.map(String)).size).toBe(1)
  })

  it('make every version of an account once, and none ever changes', async () => {
    await both[0].write((t) => addAccount(t, testClock, 'web', {}))
    const { done, failed } = await race(30, (database, index) =>
      database.write((t) => changeAccount(t, testClock, 'web', { description: `d${index}` })),
    )
    expect(failed).toEqual([])
    expect(done.map((account) => account.version).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 2),
    )
    const metastore = await openMetastore({ database: both[1], logger: silentLogger })
    for (const account of done)
      expect(await metastore.accountVersion(account.id, account.version)).toEqual({
        ...account,
        templates: expect.any(Array),
      })
    await metastore.close()
  })

  it('make a log and remove it at once, and neither takes that for damage', async () => {
    const [first, second] = both
    const place = { kind: 'log', levels: ['Events', 'a'] } as const
    let removals = 0
    const database: Database = {
      read: first.read,
      snapshot: (work) => first.snapshot(work),
      write: async (work) => {
        const done = await first.write(work)
        if (removals > 0) await second.write((t) => removeNode(t, testClock, place))
        removals -= 1
        return done
      },
      close: () => first.close(),
    }
    const metastore = await openMetastore({ database, logger: silentLogger })
    try {
      removals = 3
      const given = { appTags: [], typeWords: [], receivedHour: 0 }
      const log = { folder: ['Events'], name: 'a', accountId: null, policyId: 1, ...given }
      const [made] = await metastore.addLogs([log])
      const tree = await metastore.tree()
      expect(removals).toBe(-1)
      expect([...tree.logs.keys()]).toContain(made?.id)
    } finally {
      await metastore.close()
    }
  })

  it('do not take away the last two administrators, each the other one', async () => {
    await runFirstStart({ database: both[0], clock: testClock })
    await both[0].write((t) =>
      addUser(t, 'second', { passwordHash: 'x', groups: ['administrators'] }),
    )
    const { done, failed } = await race(2, (database, index) =>
      database.write((t) => editUser(t, index === 0 ? 'second' : 'admin', { isEnabled: false })),
    )
    expect([done.length, failed]).toEqual([1, ['object.last_administrator']])
  })

  it('number the entries of the audit log without a gap, each once', async () => {
    const { failed } = await race(60, (database, index) => {
      const entry = {
        userId: null,
        userName: '',
        address: '',
        action: 'race',
        target: `${index}`,
        result: 'done',
      }
      return database.write((t) =>
        insertAudit(t, [
          { entry, atMs: 1 },
          { entry, atMs: 1 },
        ]),
      )
    })
    expect(failed).toEqual([])
    const rows = await both[1].read
      .selectFrom('audit')
      .select(['id', 'target'])
      .orderBy('id')
      .execute()
    expect(rows.map((row) => row.id)).toEqual(Array.from({ length: 120 }, (_, index) => index + 1))
    expect(new Set(rows.map((row) => row.target)).size).toBe(60)
  })

  it('store no more results than a user may have', async () => {
    const quota = { maxResults: 7, maxBytes: 1_000_000 }
    const { done, failed } = await race(24, (database, index) =>
      addResult(database, { id: `r${index}`, userId: 1, logs: 'all', expiresMs: 1e15 }, quota),
    )
    expect([done.length, new Set(failed)]).toEqual([7, new Set(['search.quota'])])
    expect((await listResultIds(both[1])).size).toBe(7)
  })

  it('read each page of a result once, in order', async () => {
    const quota = { maxResults: 7, maxBytes: 1_000_000 }
    const result = { id: 'r', userId: 1, logs: 'all' as const }
    await addResult(both[0], { ...result, expiresMs: 1e15 }, quota)
    const paging = {
      tokenHash: 't',
      expiresMs: 1e15,
      resultFormat: 'xml',
      pageRows: 10,
      nextRow: 0,
    }
    await finishResult(both[0], { ...result, shape: '{}', rowCount: 100, bytes: 1, paging })
    const read: number[] = []
    for (let round = 0; round < 5; round += 1) {
      const { done } = await race(6, async (database, index) => {
        const call = {
          tokenHash: 't',
          userId: 1,
          mark: `${round}-${index}`,
          nowMs: 1,
          untilMs: 1e15,
        }
        const page = await takePage(database, call)
        if (page === undefined) return undefined
        read.push(page.nextRow)
        return { page, mark: call.mark }
      })
      const taken = done.flatMap((one) => (one === undefined ? [] : [one]))
      expect(taken).toHaveLength(1)
      for (const { page, mark } of taken) {
        const passed = {
          resultId: 'r',
          mark,
          nextRow: page.nextRow + page.pageRows,
          expiresMs: 1e15,
        }
        expect((await race(2, (database) => passPage(database, passed))).done.sort()).toEqual([
          false,
          true,
        ])
      }
    }
    expect(read).toEqual([0, 10, 20, 30, 40])
  })
})
