// What only the embedded database has: a file, and a driver that answers at once.
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DATABASE_FILE } from '../../../infra/database/database-file.ts'
import { openDatabase } from '../../../infra/database/open.ts'
import type { Database } from '../../../infra/database/port.ts'
import { checkSound, isSqliteSound } from '../../../infra/database/sqlite-check.ts'
import { logBytes } from '../../../infra/database/sqlite-log.ts'
import { putSetting, settingNames } from '../../support/database/named-settings.ts'
import { makeManualClock } from '../../support/run/manual-clock.ts'

let dataDir = ''
const opened: Database[] = []

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-database-'))
})
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function open(): Promise<Database> {
  const database = await openDatabase({ dataDir })
  opened.push(database)
  return database
}

describe('the embedded database', () => {
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

  it('tells of a long write in a thread what it tells of a short one', async () => {
    const database = await open()
    // Through the pieces of one parameter that is long, and one that is not.
    const put = (names: readonly string[]) =>
      database.write(async (t) => {
        const rows = JSON.stringify(names.map((name) => name.padEnd(200, '.')))
        const put = sql`insert into long_rows (name) select value from json_each(${rows})`
        const { numAffectedRows } = await put.execute(t)
        return Number(numAffectedRows)
      })
    await database.write((t) => sql`create table long_rows (name text primary key)`.execute(t))
    const names = Array.from({ length: 500 }, (_, at) => `${at}`)
    expect(await put(names)).toBe(500)
    expect(await put(['a', 'b'])).toBe(2)
    // Half of it is new: all of it is refused.
    await expect(put([...names.map((name) => `new ${name}`), ...names])).rejects.toThrow()
    expect(await put(['c'])).toBe(1)
    const { rows } = await sql<{ n: number }>`select count(*) as n from long_rows`.execute(
      database.read,
    )
    expect(rows).toEqual([{ n: 503 }])
  })

  it('takes true and false, at which the driver would abort the process', async () => {
    const database = await open()
    const { rows } = await sql<{ x: number }>`select ${true} as x`.execute(database.read)
    expect(rows).toEqual([{ x: 1 }])
  })

  it('keeps the event loop free while a large commit reaches the disk', async () => {
    const database = await open()
    let ticks = 0
    let ticking: NodeJS.Timeout | undefined
    await database.write(async (transaction) => {
      for (let number = 0; number < 3000; number += 1)
        await transaction
          .insertInto('settings')
          .values({ name: String(number), value: 'x'.repeat(20_000) })
          .execute()
      ticking = setInterval(() => {
        ticks += 1
      }, 1)
    })
    clearInterval(ticking)
    // A loop that is held has none, or one before and one after.
    expect(ticks).toBeGreaterThan(5)
  })

  it('fails while its file is away, writes nothing into a lost file, and goes on when it is back', async () => {
    const database = await open()
    await putSetting(database, 'a')
    const path = join(dataDir, DATABASE_FILE)
    renameSync(path, `${path}.away`)
    await expect(putSetting(database, 'b')).rejects.toMatchObject({ code: 'database.unavailable' })
    await expect(settingNames(database)).rejects.toMatchObject({ code: 'database.unavailable' })
    renameSync(`${path}.away`, path)
    await putSetting(database, 'c')
    expect(await settingNames(database)).toEqual(['a', 'c'])
  })

  it('refuses a file that is no database, and a directory it may not make', async () => {
    writeFileSync(join(dataDir, DATABASE_FILE), 'no database at all'.repeat(100))
    await expect(openDatabase({ dataDir })).rejects.toMatchObject({ code: 'database.damaged' })
    // A connection is closed in a thread of its own.
    await expect
      .poll(() => openFiles().filter((path) => path.startsWith(dataDir)), { timeout: 240_000 })
      .toEqual([])
    const inFile = join(dataDir, DATABASE_FILE, 'below')
    for (const refused of [inFile, join(dataDir, DATABASE_FILE)])
      await expect(openDatabase({ dataDir: refused })).rejects.toMatchObject({
        code: 'database.unavailable',
      })
  })

  it('that is damaged where it is read later gives its own failure, with nothing of the engine in it', async () => {
    const database = await open()
    for (let at = 0; at < 200; at += 1) await putSetting(database, `name ${at}`, 'x'.repeat(500))
    await database.close()
    const path = join(dataDir, DATABASE_FILE)
    const bytes = readFileSync(path)
    const row = bytes.indexOf('name 150')
    const page = Math.floor(row / 4096) * 4096
    bytes.fill(0xa5, page, page + 4096)
    writeFileSync(path, bytes)
    expect(isSqliteSound(dataDir, 'quick')).toBe(false)
    expect(isSqliteSound(dataDir, 'integrity')).toBe(false)
    // It was closed in order: no start may go on with it all the same.
    expect(logBytes(dataDir)).toBe(0)
    expect(() => checkSound(dataDir)).toThrow('is damaged: bring back a copy of it')
    const reopened = await open()
    const failure = await settingNames(reopened).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'database.damaged' })
    expect(String(failure)).not.toMatch(/malformed|SQLITE/i)
  })

  it('is sound, and without a log, after it was closed', async () => {
    const database = await open()
    await putSetting(database, 'a', 'b')
    expect(logBytes(dataDir)).toBeGreaterThan(0)
    await database.close()
    opened.splice(0)
    expect(logBytes(dataDir)).toBe(0)
    expect(isSqliteSound(dataDir, 'integrity')).toBe(true)
  })

  it('keeps its log below 16 MiB although a reader let it grow', async () => {
    const clock = makeManualClock()
    const database = await openDatabase({ dataDir, clock })
    opened.push(database)
    await database.snapshot(async (transaction) => {
      await sql`select * from settings`.execute(transaction)
      for (let at = 0; at < 24; at += 1)
        await putSetting(database, `big ${at}`, 'x'.repeat(1024 * 1024))
    })
    expect(logBytes(dataDir)).toBeGreaterThan(16 * 1024 * 1024)
    clock.advance(6000)
    await putSetting(database, 'last', 'y')
    expect(logBytes(dataDir)).toBeLessThan(1024 * 1024)
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
