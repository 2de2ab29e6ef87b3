// What only the embedded database has: a file, and a driver that answers at once.
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
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DATABASE_FILE } from '../../infra/database/database-file.ts'
import { openDatabase } from '../../infra/database/open.ts'
import type { Database } from '../../infra/database/port.ts'
import { putSetting, settingNames } from '../support/named-settings.ts'

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
    // A loop that is held has none, or one before and one behind.
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
      .poll(() => openFiles().filter((path) => path.startsWith(dataDir)), { timeout: 20_000 })
      .toEqual([])
    const inFile = join(dataDir, DATABASE_FILE, 'below')
    await expect(openDatabase({ dataDir: inFile })).rejects.toMatchObject({
      code: 'database.unavailable',
    })
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
