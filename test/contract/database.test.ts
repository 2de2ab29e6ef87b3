// The embedded database under several connections and processes.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../infra/clock.ts'
import { MIGRATIONS, migrate } from '../../infra/database/migrate.ts'
import { DATABASE_FILE, openDatabase } from '../../infra/database/open.ts'
import type { Database } from '../../infra/database/port.ts'
import { takeIds } from '../../infra/metastore/counters.ts'

let dataDir = ''
const opened: Database[] = []
const processes: ChildProcess[] = []

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-database-'))
})
afterEach(async () => {
  for (const child of processes.splice(0)) child.kill('SIGKILL')
  for (const database of opened.splice(0)) await database.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function open(): Promise<Database> {
  const database = await openDatabase({ dataDir })
  opened.push(database)
  return database
}

function start(mode: string) {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'test/support/database-process.ts', dataDir, mode],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  processes.push(child)
  return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() }
}

async function put(database: Database, name: string, value = '1'): Promise<void> {
  await database.write(async (transaction) => {
    await transaction.insertInto('settings').values({ name, value }).execute()
  })
}

async function names(database: Database): Promise<string[]> {
  const rows = await database.read.selectFrom('settings').select('name').execute()
  return rows.map((row) => row.name)
}

describe('database', () => {
  it('migrates once when several open a new one at the same moment', async () => {
    const several = await Promise.all([open(), open(), open(), open()])
    for (const database of several) {
      const rows = await database.read.selectFrom('migrations').select('number').execute()
      expect(rows.map((row) => row.number)).toEqual(MIGRATIONS.map((one) => one.number))
    }
  })

  it('is readable by its owner only', async () => {
    await open()
    expect(statSync(join(dataDir, DATABASE_FILE)).mode & 0o077).toBe(0)
  })

  it('syncs every commit and checks references', async () => {
    const database = await open()
    const pragma = (name: string) =>
      database.write(async (t) => (await sql.raw(`pragma ${name}`).execute(t)).rows)
    expect(await pragma('synchronous')).toEqual([{ synchronous: 2 }])
    expect(await pragma('journal_mode')).toEqual([{ journal_mode: 'wal' }])
    expect(await pragma('foreign_keys')).toEqual([{ foreign_keys: 1 }])
  })

  it('serializes writers of several connections: no id twice, no count lost', async () => {
    const [one, other] = [await open(), await open()]
    const ids: number[] = []
    await Promise.all(
      [one, other].flatMap((database) =>
        Array.from({ length: 50 }, async () => {
          ids.push(await database.write((transaction) => takeIds(transaction, 'log', 3)))
        }),
      ),
    )
    expect(new Set(ids).size).toBe(100)
    expect(ids.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => 1 + 3 * i))
  })

  it('leaves nothing of a transaction that fails, and names a conflict', async () => {
    const database = await open()
    await put(database, 'a')
    const failing = database.write(async (transaction) => {
      await transaction.insertInto('settings').values({ name: 'b', value: '1' }).execute()
      await transaction.insertInto('settings').values({ name: 'a', value: '2' }).execute()
    })
    await expect(failing).rejects.toMatchObject({ code: 'database.conflict' })
    await expect(
      database.write(async (transaction) => {
        await transaction.insertInto('settings').values({ name: 'c', value: '1' }).execute()
        throw new Error('of the work itself')
      }),
    ).rejects.toThrow('of the work itself')
    expect(await names(database)).toEqual(['a'])
    await put(database, 'd')
  })

  it('shows a snapshot one moment, whatever others commit meanwhile', async () => {
    const [reader, writer] = [await open(), await open()]
    await put(writer, 'a')
    const seen = await reader.snapshot(async (transaction) => {
      const before = await transaction.selectFrom('settings').select('name').execute()
      await put(writer, 'b')
      return [before, await transaction.selectFrom('settings').select('name').execute()]
    })
    expect(seen.map((rows) => rows.length)).toEqual([1, 1])
    expect(await names(reader)).toEqual(['a', 'b'])
  })

  it('does not write through the reading side', async () => {
    const database = await open()
    const writing = database.read.insertInto('settings').values({ name: 'a', value: '1' }).execute()
    await expect(writing).rejects.toMatchObject({ code: 'database.unavailable' })
    expect(await names(database)).toEqual([])
  })

  it('takes true and false, at which the driver would abort the process', async () => {
    const database = await open()
    const { rows } = await sql<{ x: number }>`select ${true} as x`.execute(database.read)
    expect(rows).toEqual([{ x: 1 }])
  })

  it('loses a transaction whose process is killed, and lets the next writer in at once', async () => {
    const database = await open()
    const { child, lines } = start('hold')
    expect(await lines.next()).toMatchObject({ value: 'held' })
    child.kill('SIGKILL')
    await once(child, 'exit')
    const startedMs = performance.now()
    await put(database, 'after')
    expect(performance.now() - startedMs).toBeLessThan(1000)
    expect(await names(database)).toEqual(['after'])
  })

  it('keeps every commit that was acknowledged before a kill', async () => {
    const { child, lines } = start('count')
    let acknowledged = 0
    while (acknowledged < 30) acknowledged = Number((await lines.next()).value)
    child.kill('SIGKILL')
    await once(child, 'exit')
    for await (const line of { [Symbol.asyncIterator]: () => lines }) acknowledged = Number(line)
    const database = await open()
    const kept = (await names(database)).length
    expect(kept).toBeGreaterThanOrEqual(acknowledged)
    expect(kept).toBeLessThanOrEqual(acknowledged + 1)
  })

  it('reads on and keeps the event loop free while another process holds the lock; then says unavailable', async () => {
    const database = await open()
    await put(database, 'a')
    const { child, lines } = start('hold')
    await lines.next()
    let longestStopMs = 0
    let lastMs = performance.now()
    const ticks = setInterval(() => {
      longestStopMs = Math.max(longestStopMs, performance.now() - lastMs)
      lastMs = performance.now()
    }, 5)
    const writing = put(database, 'b')
    expect(await names(database)).toEqual(['a'])
    await expect(writing).rejects.toMatchObject({ code: 'database.unavailable' })
    clearInterval(ticks)
    expect(longestStopMs).toBeLessThan(250)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await put(database, 'b')
    expect(await names(database)).toEqual(['a', 'b'])
  })

  it('keeps the event loop free while a large commit reaches the disk', async () => {
    const database = await open()
    let committingMs = 0
    let longestStopMs = 0
    await database.write(async (transaction) => {
      for (let number = 0; number < 3000; number += 1)
        await transaction
          .insertInto('settings')
          .values({ name: String(number), value: 'x'.repeat(20_000) })
          .execute()
      committingMs = performance.now()
      let lastMs = committingMs
      const ticks = setInterval(() => {
        longestStopMs = Math.max(longestStopMs, performance.now() - lastMs)
        lastMs = performance.now()
      }, 1)
      setTimeout(() => clearInterval(ticks), 5000).unref()
    })
    const commitMs = performance.now() - committingMs
    // The tick that a held loop delayed comes only now.
    await sleep(20)
    expect(longestStopMs).toBeLessThan(Math.max(100, commitMs / 2))
  })

  it('fails while its file is away, writes nothing into a lost file, and goes on when it is back', async () => {
    const database = await open()
    await put(database, 'a')
    const path = join(dataDir, DATABASE_FILE)
    renameSync(path, `${path}.away`)
    await expect(put(database, 'b')).rejects.toMatchObject({ code: 'database.unavailable' })
    await expect(names(database)).rejects.toMatchObject({ code: 'database.unavailable' })
    renameSync(`${path}.away`, path)
    await put(database, 'c')
    expect(await names(database)).toEqual(['a', 'c'])
  })

  it('refuses a file that is no database, and a directory it may not make', async () => {
    writeFileSync(join(dataDir, DATABASE_FILE), 'no database at all'.repeat(100))
    await expect(openDatabase({ dataDir })).rejects.toMatchObject({ code: 'database.damaged' })
    expect(openFiles().filter((path) => path.startsWith(dataDir))).toEqual([])
    const inFile = join(dataDir, DATABASE_FILE, 'below')
    await expect(openDatabase({ dataDir: inFile })).rejects.toMatchObject({
      code: 'database.unavailable',
    })
  })

  it('refuses an address of an engine that is not built, without repeating it', async () => {
    const opening = openDatabase({ url: 'postgres://u:secret@h/db', dataDir })
    await expect(opening).rejects.toMatchObject({ code: 'database.unsupported_url' })
    await expect(opening).rejects.not.toThrow('secret')
  })
})

/** What this process has open. */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)]
    } catch {
      return []
    }
  })
}

describe('migrate', () => {
  it('applies a migration once and leaves nothing of one that fails', async () => {
    const database = await open()
    let runs = 0
    const next = {
      number: 1000,
      name: 'next',
      apply: async (db: Parameters<(typeof MIGRATIONS)[number]['apply']>[0]) => {
        runs += 1
        await db.schema.createTable('extra').addColumn('id', 'integer').execute()
        if (runs === 1) throw new Error('first try')
      },
    }
    const all = [...MIGRATIONS, next]
    await expect(migrate(database, systemClock, all)).rejects.toThrow('first try')
    await migrate(database, systemClock, all)
    await migrate(database, systemClock, all)
    expect(runs).toBe(2)
  })

  it('refuses a database that a newer version has migrated', async () => {
    const database = await open()
    await database.write(async (transaction) => {
      const row = { number: 9999, name: 'future', applied_ms: 0 }
      await transaction.insertInto('migrations').values(row).execute()
    })
    await expect(openDatabase({ dataDir })).rejects.toMatchObject({ code: 'database.newer' })
  })
})
