// A database of its own for a test: a file, or a schema of the server of the run. Which dialect
// says the project (vitest.config.ts): every test that opens its database here runs on both.
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { DATABASE_FILE } from '../../../infra/database/database-file.ts'
import { openDatabase } from '../../../infra/database/open.ts'
import type { Database } from '../../../infra/database/port.ts'
import { startTcpProxy } from '../network/tcp-proxy.ts'
import { testClock } from '../run/test-clock.ts'

export const dialect = process.env.LOGEYE_TEST_DIALECT === 'postgres' ? 'postgres' : 'sqlite'

export type DatabasePlace = {
  readonly dataDir: string
  /** Of PostgreSQL. */
  readonly url: string | undefined
  /** For database-process.ts. */
  readonly processArguments: readonly string[]
  /** A connection more, as another process has it. */
  open(): Promise<Database>
  /** From now on nobody reaches it; who was connected is cut off. */
  hide(): Promise<void>
  show(): Promise<void>
  /** What is still open is closed first. */
  remove(): Promise<void>
}

export async function makeDatabasePlace(): Promise<DatabasePlace> {
  const dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-database-'))
  const opened: Database[] = []
  const { url, hide, show, remove } =
    dialect === 'postgres' ? await makeSchema() : makeFile(dataDir)
  return {
    dataDir,
    url,
    processArguments: [dataDir, url ?? ''],
    open: async () => {
      const database = await openDatabase({ url, dataDir, clock: testClock })
      opened.push(database)
      return database
    },
    hide,
    show,
    remove: async () => {
      for (const database of opened) await database.close()
      await remove()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

type Road = Pick<DatabasePlace, 'url' | 'hide' | 'show' | 'remove'>

function makeFile(dataDir: string): Road {
  const path = join(dataDir, DATABASE_FILE)
  return {
    url: undefined,
    hide: async () => renameSync(path, `${path}.away`),
    show: async () => renameSync(`${path}.away`, path),
    remove: async () => undefined,
  }
}

let made = 0

async function makeSchema(): Promise<Road> {
  made += 1
  const schema = `test_${process.pid}_${made}`
  const proxy = await startTcpProxy(Number(new URL(adminUrl()).port), new URL(adminUrl()).hostname)
  await asAdmin(`create schema ${schema}`)
  const url = new URL(adminUrl())
  url.hostname = '127.0.0.1'
  url.port = String(proxy.port)
  url.searchParams.set('schema', schema)
  return {
    url: url.toString(),
    hide: () => proxy.cut(),
    show: () => proxy.open(),
    remove: async () => {
      await proxy.cut()
      await asAdmin(`drop schema if exists ${schema} cascade`)
    },
  }
}

export function adminUrl(): string {
  const url = process.env.LOGEYE_TEST_POSTGRES
  if (url === undefined) throw new Error('no PostgreSQL server was started for this run')
  const address = new URL(url)
  if (address.port === '') address.port = '5432'
  return address.toString()
}

/** Statements of the server's administrator. */
export async function asAdmin(...statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: adminUrl() })
  client.on('error', () => undefined)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
