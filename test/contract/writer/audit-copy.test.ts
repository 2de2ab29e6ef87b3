// The audit log as events of System->audit (docs/decisions/0046): each entry once and in order,
// wherever the process that copies them dies.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fence, Lease } from '../../../infra/database/lease.ts'
import type { EventLog } from '../../../infra/event-log/port.ts'
import { insertAudit } from '../../../infra/metastore/audit/audit-writer.ts'
import { makeAuditCopy } from '../../../ingest/audit/copy-audit.ts'
import { silentLogger } from '../../support/database/query-database.ts'
import { bundleProgram } from '../../support/machine/bundle-program.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { openWriterPlace, type WriterPlace } from '../../support/writer/writer-place.ts'

let place: WriterPlace
let leases = 0

beforeAll(async () => {
  place = await openWriterPlace()
})
afterAll(() => place?.close())

async function audit(count: number, target = 'thing', details: Record<string, string> = {}) {
  const entry = { userId: 7, userName: 'ann', address: '10.0.0.1', action: 'sdk.test', target }
  const entries = Array.from({ length: count }, () => ({
    entry: { ...entry, result: 'done', details },
    atMs: testClock.nowMs(),
  }))
  await place.metastore.database.write((transaction) => insertAudit(transaction, entries))
}

async function takeLease(): Promise<Fence> {
  const { database } = place.metastore
  leases += 1
  const held = await new Lease({ database, clock: testClock, name: `copy ${leases}` }).tryTake()
  if (held === undefined) throw new Error('the lease is not free')
  return held
}

async function copy(held: Fence, eventLog: Pick<EventLog, 'append'> = place.eventLog) {
  const { metastore, engine } = place
  const { database } = metastore
  const around = { clock: testClock, logger: silentLogger, signal: new AbortController().signal }
  const job = makeAuditCopy(eventLog, testClock)
  await job.run({ database, metastore, store: engine.store, held, ...around })
}

async function copyInProcess(point: string): Promise<unknown> {
  leases += 1
  const url = place.databaseUrl ?? ''
  const program = await bundleProgram('test/support/writer/audit-copy-process.ts')
  const child = fork(program, [place.dataDir, url, `copy ${leases}`, point], {
    execArgv: ['--enable-source-maps'],
    stdio: 'inherit',
  })
  const [code, signal] = await once(child, 'exit')
  return signal ?? code
}

/** Numbers of the entries in the database, and of those in the store in their order there. */
async function entries(): Promise<{ kept: number[]; stored: number[] }> {
  await place.storeAll()
  const { logsByPath } = await place.metastore.tree()
  const rows = await place.rows(`log_id = ${logsByPath.get('System->audit')?.id ?? 0}`)
  const kept = await place.metastore.database.read
    .selectFrom('audit')
    .select('id')
    .orderBy('id')
    .execute()
  return {
    kept: kept.map(({ id }) => Number(id)),
    stored: rows.map(({ columns }) => Number(columns.entry)),
  }
}

describe('the audit log in the event log', () => {
  test('has what the row has, and nothing else', async () => {
    const atMs = Math.floor(testClock.nowMs() / 60_000) * 60_000 + 7
    const entry = {
      ...{ userId: null, userName: 'eve', address: '10.0.0.9', action: 'sign-in' },
      ...{ target: '', result: 'sign_in.failed' },
    }
    const search = {
      ...{ userId: 7, userName: 'ann', address: '10.0.0.1', action: 'search' },
      ...{ target: 'mine', result: 'done', details: { query: 'a | "b"', durationMs: 3 } },
    }
    await place.metastore.database.write((transaction) =>
      insertAudit(transaction, [
        { entry, atMs },
        { entry: search, atMs: atMs + 1 },
      ]),
    )
    await copy(await takeLease())
    await place.storeAll()
    const { logsByPath } = await place.metastore.tree()
    const log = logsByPath.get('System->audit')
    expect(log).toMatchObject({ accountId: null, policyId: 1, appTags: [] })
    const rows = await place.engine.store.query({
      sql: `SELECT message, host, source, toString(timestamp) AS at, columns FROM events
        WHERE log_id = ${log?.id ?? 0} ORDER BY offset, \`index\``,
    })
    expect(rows).toMatchObject([
      {
        message: 'eve: sign-in: sign_in.failed',
        host: '',
        source: 'System',
        at: expect.stringContaining(':00.007'),
      },
      { message: 'ann: search mine: done' },
    ])
    const columns = (await place.rows(`log_id = ${log?.id ?? 0}`)).map((row) => row.columns)
    expect(columns).toEqual([
      {
        ...{ user: 'eve', action: 'sign-in', result: 'sign_in.failed' },
        ...{ address: '10.0.0.9', surface: 'sign-in', entry: 1 },
      },
      {
        ...{ user: 'ann', userId: 7, action: 'search', object: 'mine', result: 'done' },
        ...{ address: '10.0.0.1', surface: 'search', entry: 2 },
        details: { query: 'a | "b"', durationMs: 3 },
      },
    ])
  })

  test.each(['begun', 'appended', 'before the end', 'ended'])(
    'has each entry once and in order when its process is killed: %s',
    async (point) => {
      await audit(3)
      expect(await copyInProcess(point)).toBe('SIGKILL')
      await audit(2)
      // What the dead process left, and what came since.
      await copy(await takeLease())
      const { kept, stored } = await entries()
      expect(stored).toEqual(kept)
    },
  )

  test('has more entries than one copy takes, and long ones', async () => {
    await audit(1200)
    await audit(3, 'long', { query: '\u0001'.repeat(32_768), other: '\u0002'.repeat(230_000) })
    await copy(await takeLease())
    const { kept, stored } = await entries()
    expect(stored).toEqual(kept)
  })

  test('has them once though a process that stood still goes on with what another has done', async () => {
    await audit(2)
    const old = await takeLease()
    let waits = () => {}
    const stands = new Promise<void>((resolve) => {
      waits = resolve
    })
    const still = copy(old, {
      append: async (partition, bytes) => {
        await stands
        return await place.eventLog.append(partition, bytes)
      },
    })
    await expect.poll(() => countBegun()).toBe(1)
    // Its lease is taken from it.
    await place.metastore.database.write((transaction) =>
      transaction.updateTable('leases').set({ holder: 'x' }).where('name', '=', old.name).execute(),
    )
    await copy(await takeLease())
    await audit(1)
    await copy(await takeLease())
    waits()
    await expect(still).rejects.toMatchObject({ code: 'database.lease_lost' })
    const { kept, stored } = await entries()
    expect(stored).toEqual(kept)
  })

  test('waits while the event log takes nothing, and has them afterwards', async () => {
    await audit(2)
    const full = { append: () => Promise.reject(new Error('full')) }
    await expect(copy(await takeLease(), full)).rejects.toThrow('full')
    await copy(await takeLease())
    const { kept, stored } = await entries()
    expect(stored).toEqual(kept)
  })
})

async function countBegun(): Promise<number> {
  const rows = await place.metastore.database.read
    .selectFrom('audit_copies')
    .select('number')
    .where('is_done', '=', 0)
    .execute()
  return rows.length
}
