// SQLite keeps its locks as the system has them: a process loses those of all its connections as
// soon as it closes the file by any other way. Whoever closes the database then takes itself for
// the last one, and throws the log away below the others.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DATABASE_FILE } from '../../../infra/database/database-file.ts'
import { openDatabase } from '../../../infra/database/open.ts'
import type { Database } from '../../../infra/database/port.ts'
import { emptyClosedLog } from '../../../infra/database/sqlite-log.ts'
import { lookAtSqlite, readSqliteSettings } from '../../../infra/database/sqlite-look.ts'
import { putSetting, settingNames } from '../../support/database/named-settings.ts'
import { execFileSync } from '../../support/run/run-sync.ts'

let dataDir = ''
let path = ''
const opened: Database[] = []

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-locks-'))
  path = join(dataDir, DATABASE_FILE)
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

/** Another process opens it, does that, and closes it; what a query finds stays unsaid. */
function elsewhere(statement: string): void {
  run(`database.exec(${JSON.stringify(statement)}); database.close()`)
}

/** What another process finds in the settings. */
function seenElsewhere(): unknown {
  const query = "database.prepare('select name from settings').all([]).map(({ name }) => name)"
  return JSON.parse(run(`process.stdout.write(JSON.stringify(${query}))`))
}

function run(work: string): string {
  const program = `const Libsql = require('libsql')
    const database = new Libsql(${JSON.stringify(path)}, { timeout: 5000 })
    ${work}`
  const cwd = join(import.meta.dirname, '../../..')
  return execFileSync(process.execPath, ['-e', program], { encoding: 'utf8', cwd })
}

describe('a database that one process opens twice', () => {
  it('keeps what the first connection writes when others come and go', async () => {
    const first = await open()
    await putSetting(first, 'a')
    const second = await openDatabase({ dataDir })
    await second.close()
    elsewhere('select count(*) from settings')
    expect(existsSync(`${path}-wal`)).toBe(true)
    await putSetting(first, 'b')
    expect(seenElsewhere()).toEqual(['a', 'b'])
    expect(await settingNames(first)).toEqual(['a', 'b'])
  })

  it('shows the settings as they are to whoever looked at it before', async () => {
    const first = await open()
    await putSetting(first, 'port', '1')
    await first.write((transaction) =>
      transaction
        .insertInto('users')
        .values({
          ...{ id: 1, name: 'a', name_folded: 'a', display_name: 'a', password_hash: '' },
          ...{ policy_id: null, is_enabled: 1, version: 1, removed_ms: null },
        })
        .execute(),
    )
    await first.close()
    opened.splice(0)
    expect(lookAtSqlite(dataDir)).toBe('filled')
    expect([...readSqliteSettings(dataDir, ['port'])]).toEqual([['port', '1']])
    const second = await openDatabase({ dataDir })
    await second.close()
    elsewhere('select count(*) from settings')
    const other = startWriter()
    try {
      await once(other.stdout, 'data')
      expect([...readSqliteSettings(dataDir, ['port', 'n1']).keys()]).toEqual(['port', 'n1'])
    } finally {
      other.kill('SIGKILL')
      await once(other, 'exit')
    }
    // As the supervisor does at its end: what was committed until the kill stays.
    emptyClosedLog(dataDir)
    expect(seenElsewhere()).toEqual(expect.arrayContaining(['port', 'n1']))
  })
})

/** Commits settings n1, n2, … and says each number, until it is killed. */
function startWriter() {
  const script = 'test/support/database/database-process.ts'
  const args = ['--import', 'tsx', script, dataDir, '', 'count']
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
}
