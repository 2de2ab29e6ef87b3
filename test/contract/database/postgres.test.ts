// What only PostgreSQL has: a server that may be wrong, away, restarted or silent, and others who
// write at the same time.
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../infra/database/open.ts'
import type { Database, DatabaseTransaction } from '../../../infra/database/port.ts'
import { makeLogger } from '../../../infra/logger.ts'
import { runFirstStart } from '../../../infra/metastore/first-start.ts'
import { openMetastore } from '../../../infra/metastore/open.ts'
import { isFailure } from '../../../schemas/failures.ts'
import {
  adminUrl,
  asAdmin,
  type DatabasePlace,
  makeDatabasePlace,
} from '../../support/database/database-place.ts'
import { type PostgresServer, startPostgres } from '../../support/database/postgres-server.ts'
import { silentLogger } from '../../support/database/query-database.ts'
import { startTcpProxy } from '../../support/network/tcp-proxy.ts'
import { missingEvenInCi } from '../../support/run/missing.ts'
import { describeUnless } from '../../support/run/skip.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

const CA_FILE = process.env.LOGEYE_TEST_POSTGRES_CA

let place: DatabasePlace
const closers: (() => Promise<unknown>)[] = []

beforeEach(async () => {
  place = await makeDatabasePlace()
})
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
  await place.remove()
})

async function openAt(url: string | undefined, logger = silentLogger): Promise<Database> {
  const database = await openDatabase({ url, dataDir: place.dataDir, logger })
  closers.push(() => database.close())
  return database
}

/** The address with some of its parts changed. */
function changed(
  url: string,
  parts: Partial<Record<'host' | 'username' | 'password' | 'pathname', string>>,
  options: Readonly<Record<string, string>> = {},
): string {
  const address = Object.assign(new URL(url), parts)
  for (const [name, value] of Object.entries(options)) address.searchParams.set(name, value)
  return address.toString()
}

/** Code and text of what the opening fails with. */
async function refusal(url: string): Promise<string> {
  try {
    await openAt(url)
    return 'opened'
  } catch (error) {
    return isFailure(error) ? `${error.code}: ${error.message}` : String(error)
  }
}

const put = (database: Database, name: string) =>
  database.write((transaction) => insert(transaction, name))

async function insert(transaction: DatabaseTransaction, name: string): Promise<void> {
  await transaction.insertInto('settings').values({ name, value: '1' }).execute()
}

/** As an administrator does. */
async function cutOff(transaction: DatabaseTransaction): Promise<void> {
  const own = sql<{ pid: number }>`select pg_backend_pid() as pid`
  const { rows } = await own.execute(transaction)
  await asAdmin(`select pg_terminate_backend(${rows[0]?.pid})`)
}

const names = async (database: Database) =>
  (await database.read.selectFrom('settings').select('name').orderBy('name').execute()).map(
    (row) => row.name,
  )

async function startServer(): Promise<PostgresServer> {
  const server = await startPostgres()
  closers.push(() => server.stop())
  return server
}

describe('a start on PostgreSQL says in one line that', () => {
  it('the address or the password is wrong, without repeating it', async () => {
    const url = place.url ?? ''
    const { host } = new URL(url)
    const lines = [
      [
        await refusal(changed(url, { password: 'secret' })),
        `database.refused: the database at ${host}/postgres cannot be used: user or password is wrong`,
      ],
      [
        await refusal(changed(url, { username: 'nobody' })),
        `database.refused: the database at ${host}/postgres cannot be used: user or password is wrong`,
      ],
      [
        await refusal(changed(url, { pathname: '/no-such' })),
        `database.refused: the database at ${host}/no-such cannot be used: there is no database of this name`,
      ],
      [
        await refusal(changed(url, { host: '127.0.0.1:1' })),
        'database.unreachable: no database answers at 127.0.0.1:1/postgres: nothing listens there, check LOGEYE_DATABASE_URL',
      ],
      [
        await refusal(changed(url, { host: 'no-such-host.invalid:5432' }, { sslmode: 'disable' })),
        'database.unreachable: no database answers at no-such-host.invalid:5432/postgres: the name no-such-host.invalid is not known, check LOGEYE_DATABASE_URL',
      ],
      [
        await refusal(changed(url, {}, { schema: 'no such' })),
        `database.refused: the database at ${host}/postgres cannot be used: the user may use no schema no such`,
      ],
      [
        await refusal(changed(url, { password: '' })),
        `database.unreachable: no database answers at ${host}/postgres: no answer within 5 s, or it asks for a password, and the address has none, check LOGEYE_DATABASE_URL`,
      ],
      [
        await refusal('mysql://u:secret@h/d'),
        'database.unsupported_url: this database address is not supported: give postgres://…, or nothing for the embedded database',
      ],
    ]
    expect(lines.map(([said]) => said)).toEqual(lines.map(([, wanted]) => wanted))
    expect(JSON.stringify(lines)).not.toContain('secret')
  })

  it('the user lacks rights, the encoding is another one, nobody answers at all', async () => {
    const name = `test_user_${process.pid}`
    await asAdmin(
      `create role ${name} login password 'x'`,
      `create database ${name} template template0 encoding 'SQL_ASCII' locale 'C'`,
    )
    closers.push(() => asAdmin(`drop database ${name}`, `drop role ${name}`))
    expect(await refusal(changed(adminUrl(), { username: name, password: 'x' }))).toContain(
      'the user may not make tables in the schema public',
    )
    expect(await refusal(changed(adminUrl(), { pathname: `/${name}` }))).toContain(
      'its encoding is SQL_ASCII, it must be UTF8',
    )
    const proxy = await startTcpProxy(Number(new URL(adminUrl()).port))
    closers.push(() => proxy.cut())
    proxy.freeze()
    expect(await refusal(changed(adminUrl(), { host: `127.0.0.1:${proxy.port}` }))).toContain(
      'no answer within 5 s',
    )
  })

  it('the server is a standby; one that is starting is waited for', async () => {
    const server = await startServer()
    server.makeStandby()
    server.kill('SIGINT')
    await server.ended()
    const starting = server.start()
    expect(await refusal(server.url)).toMatch(
      /a standby, which cannot be written to|nothing listens there/,
    )
    await starting
    expect(await refusal(server.url)).toContain('it is a standby, which cannot be written to')
  })
})

const NO_TLS = missingEvenInCi(
  CA_FILE !== undefined,
  'no PostgreSQL with TLS: LOGEYE_TEST_POSTGRES_CA is not set',
)
describeUnless(NO_TLS, 'TLS', () => {
  it('is checked to the end where the address says nothing else', async () => {
    const at = (host: string, options: Readonly<Record<string, string>>) =>
      refusal(changed(adminUrl(), { host: `${host}:${new URL(adminUrl()).port}` }, options))
    const sslrootcert = CA_FILE ?? ''
    expect(await at('127.0.0.1', { sslmode: 'verify-full' })).toContain(
      'its certificate is not accepted (DEPTH_ZERO_SELF_SIGNED_CERT)',
    )
    expect(await at('127.0.0.1', { sslmode: 'verify-ca' })).toContain(
      'its certificate is not accepted',
    )
    expect(await at('127.0.0.1', { sslmode: 'verify-full', sslrootcert })).toBe('opened')
    const database = await openAt(changed(adminUrl(), {}, { sslmode: 'require' }))
    const { rows } = await sql<{
      ssl: boolean
    }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(database.read)
    expect(rows).toEqual([{ ssl: true }])
  })
})

describe('the session', () => {
  it('is durable, bounded and reads only on the reading side, whatever the defaults of the user are', async () => {
    const name = `test_defaults_${process.pid}`
    await asAdmin(
      `create role ${name} login password 'x'`,
      `create database ${name} owner ${name}`,
      `alter role ${name} set synchronous_commit = off`,
      `alter role ${name} set default_transaction_read_only = on`,
      `alter role ${name} set default_transaction_isolation = 'read committed'`,
    )
    closers.push(() => asAdmin(`drop database ${name} with (force)`, `drop role ${name}`))
    const database = await openAt(
      changed(adminUrl(), { username: name, password: 'x', pathname: `/${name}` }),
    )
    const settings = await database.write(async (transaction) => {
      const show = sql<{
        name: string
        setting: string
      }>`select name, setting from pg_settings where name in
        ('synchronous_commit', 'transaction_isolation', 'lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout')`
      return Object.fromEntries(
        (await show.execute(transaction)).rows.map((row) => [row.name, row.setting]),
      )
    })
    expect(settings).toEqual({
      synchronous_commit: 'on',
      transaction_isolation: 'serializable',
      lock_timeout: '6000',
      statement_timeout: '10000',
      idle_in_transaction_session_timeout: '4000',
    })
    await expect(put({ ...database, write: database.snapshot }, 'x')).rejects.toMatchObject({
      code: 'database.unavailable',
    })
    // Every owner of a database can run the product: first start and all.
    expect(await runFirstStart({ database, clock: testClock })).not.toBeNull()
  })

  it('takes no more connections than the address says', async () => {
    const database = await openAt(changed(place.url ?? '', {}, { connections: '3' }))
    const used = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const { rows } = await sql<{
          pid: number
        }>`select pg_backend_pid() as pid, pg_sleep(0.01)`.execute(database.read)
        return rows[0]?.pid
      }),
    )
    expect(new Set(used).size).toBe(2)
  })
})

describe('values', () => {
  it('are numbers where the column is a bigint, also beyond 32 bits, and damaged beyond 53', async () => {
    const database = await openAt(place.url)
    const select = (text: string) =>
      sql<{ x: unknown }>`select ${sql.raw(text)} as x`.execute(database.read)
    expect((await select('9007199254740991::bigint')).rows).toEqual([{ x: 9_007_199_254_740_991 }])
    expect((await select("'0.10'::numeric")).rows).toEqual([{ x: '0.10' }])
    await expect(select('9007199254740993::bigint')).rejects.toMatchObject({
      code: 'database.damaged',
    })
    const versions = await database.read.selectFrom('changes').select('version').execute()
    expect(versions.every((row) => typeof row.version === 'number')).toBe(true)
  })

  it('may hold NUL and halves of characters, which PostgreSQL has not', async () => {
    const metastore = await openMetastore({
      database: await openAt(place.url),
      logger: silentLogger,
    })
    closers.push(() => metastore.close())
    const entry = { userId: null, address: '', action: 'a', target: '', result: 'done' }
    await metastore.audit({ ...entry, userName: 'a\0b\ud800' })
    expect(await metastore.users.find('a\0b')).toBeUndefined()
    const rows = await metastore.database.read.selectFrom('audit').select('user_name').execute()
    expect(rows).toEqual([{ user_name: 'a\ufffdb\ufffd' }])
  })
})

describe('a write', () => {
  it('runs again from its start when somebody without the lock changed what it had read', async () => {
    const database = await openAt(place.url)
    await put(database, 'a')
    const schema = new URL(place.url ?? '').searchParams.get('schema')
    let runs = 0
    await database.write(async (transaction) => {
      runs += 1
      const row = await transaction
        .selectFrom('settings')
        .select('value')
        .where('name', '=', 'a')
        .executeTakeFirstOrThrow()
      if (runs === 1) await asAdmin(`update ${schema}.settings set value = '10' where name = 'a'`)
      await transaction
        .updateTable('settings')
        .set({ value: String(Number(row.value) + 1) })
        .where('name', '=', 'a')
        .execute()
    })
    expect(runs).toBe(2)
    expect(await database.read.selectFrom('settings').select('value').execute()).toEqual([
      { value: '11' },
    ])
  })

  it('runs again when its connection was cut before the commit, and leaves nothing twice', async () => {
    const database = await openAt(place.url)
    let runs = 0
    await database.write(async (transaction) => {
      runs += 1
      await insert(transaction, `run ${runs}`)
      if (runs > 1) return
      await cutOff(transaction)
      await sql`select 1`.execute(transaction)
    })
    expect(runs).toBe(2)
    expect(await names(database)).toEqual(['run 2'])
  })

  it('is not repeated when nobody knows whether its commit was done', async () => {
    const database = await openAt(place.url)
    let runs = 0
    const writing = database.write(async (transaction) => {
      runs += 1
      await insert(transaction, `run ${runs}`)
      await cutOff(transaction)
    })
    await expect(writing).rejects.toMatchObject({ code: 'database.unavailable' })
    expect(runs).toBe(1)
    await put(database, 'next')
    expect(await names(database)).toEqual(['next'])
  })

  it('says that it failed when a statement did, though the work went on as if nothing was', async () => {
    const database = await openAt(place.url)
    await put(database, 'a')
    const writing = database.write(async (transaction) => {
      await transaction
        .insertInto('settings')
        .values({ name: 'a', value: '2' })
        .execute()
        .catch(() => undefined)
    })
    await expect(writing).rejects.toMatchObject({ code: 'database.failed' })
    await put(database, 'b')
    expect(await names(database)).toEqual(['a', 'b'])
  })
})

describe('a server', () => {
  it('may be restarted: what is written meanwhile waits for it, and everything goes on', async () => {
    const server = await startServer()
    const database = await openAt(server.url)
    await put(database, 'before')
    server.kill('SIGINT')
    await server.ended()
    await expect(names(database)).rejects.toMatchObject({ code: 'database.unavailable' })
    const writing = put(database, 'meanwhile')
    await server.start()
    await writing
    expect(await names(database)).toEqual(['before', 'meanwhile'])
    // Killed with connections open.
    server.kill('SIGQUIT')
    await server.ended()
    await server.start()
    await put(database, 'after')
    expect(await names(database)).toEqual(['after', 'before', 'meanwhile'])
  })

  it('that says nothing any more is away soon, memory goes on, and nothing is waited for without end', async () => {
    const logged: string[] = []
    const logger = makeLogger({
      level: 'info',
      process: 'test',
      clock: testClock,
      write: (line) => void logged.push(line),
    })
    const untilLogged = (text: string) =>
      waitUntil(
        `it logs: ${text}`,
        () => logged.join('').includes(text),
        () => logged,
      )
    const proxy = await startTcpProxy(Number(new URL(adminUrl()).port))
    closers.push(() => proxy.cut())
    const database = await openAt(changed(place.url ?? '', { host: `127.0.0.1:${proxy.port}` }))
    const secrets = await runFirstStart({ database, clock: testClock })
    const metastore = await openMetastore({ database, logger })
    closers.push(() => metastore.close())
    proxy.freeze()
    await untilLogged('database is away')
    expect(metastore.accountByToken(secrets?.token ?? '')).toBeDefined()
    expect(() => metastore.accountByToken('unknown')).toThrow(
      expect.objectContaining({ code: 'database.unavailable' }),
    )
    await expect(metastore.tree()).rejects.toMatchObject({ code: 'database.unavailable' })
    await proxy.cut()
    await proxy.open()
    await untilLogged('database is back')
    expect(logged.join('')).not.toContain(new URL(adminUrl()).password)
  })
})
