// Changes by hand of what the evidence covers: rows of the database, rows and files of the store.
// Each gives what may be named for it, and takes itself back.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Finding } from '../../../infra/evidence/check-links.ts'
import type { EvidencePlace } from './evidence-place.ts'

export type Change = {
  readonly what: string
  /** Whether a finding is about it. */
  readonly isNamedBy: (finding: Finding) => boolean
  readonly takeBack: () => Promise<void>
}

export type Random = (below: number) => number

type Make = (place: EvidencePlace, random: Random) => Promise<Change>

const DATABASE_TABLES = ['audit', 'evidence', 'chain_heads'] as const

type Row = Readonly<Record<string, unknown>>

/** Rows of the database as they are now. */
async function keepTables({
  metastore: { database },
}: EvidencePlace): Promise<() => Promise<void>> {
  const kept: (readonly [table: string, rows: readonly Row[]])[] = []
  for (const table of DATABASE_TABLES) {
    const { rows } = await sql<Row>`select * from ${sql.table(table)}`.execute(database.read)
    kept.push([table, rows])
  }
  return async () => {
    await database.write(async (transaction) => {
      for (const [table, rows] of kept) {
        await sql`delete from ${sql.table(table)}`.execute(transaction)
        for (const row of rows) {
          const names = sql.join(Object.keys(row).map((name) => sql.ref(name)))
          const values = sql.join(Object.values(row))
          await sql`insert into ${sql.table(table)} (${names}) values (${values})`.execute(
            transaction,
          )
        }
      }
    })
  }
}

const inDatabase = async (
  place: EvidencePlace,
  statements: readonly ReturnType<typeof sql>[],
): Promise<void> => {
  await place.metastore.database.write(async (transaction) => {
    for (const statement of statements) await statement.execute(transaction)
  })
}

async function numbersOf(place: EvidencePlace, table: 'audit' | 'evidence'): Promise<number[]> {
  const column = sql.ref(table === 'audit' ? 'id' : 'number')
  const { rows } = await sql<{
    n: number
  }>`select ${column} as n from ${sql.table(table)} order by 1`.execute(
    place.metastore.database.read,
  )
  return rows.map(({ n }) => Number(n))
}

const chainChange =
  (table: 'audit' | 'evidence'): Make =>
  async (place, random) => {
    const takeBack = await keepTables(place)
    const key = sql.ref(table === 'audit' ? 'id' : 'number')
    const from = sql.table(table)
    const numbers = await numbersOf(place, table)
    const pick = () => numbers[random(numbers.length - 1)] ?? 1
    const one = pick()
    let two = pick()
    while (two === one) two = pick()
    const text = sql.ref(
      table === 'audit'
        ? (['target', 'user_name', 'details', 'result', 'hash', 'previous'][random(6)] ?? 'target')
        : (['content', 'kind', 'hash', 'previous', 'signature'][random(5)] ?? 'content'),
    )
    const time = sql.ref('at_ms')
    const isOf =
      (...entries: readonly number[]) =>
      (finding: Finding) =>
        finding.kind === table && entries.includes(finding.entry ?? 0)
    const ways = {
      text: [sql`update ${from} set ${text} = ${text} || 'x' where ${key} = ${one}`],
      time: [sql`update ${from} set ${time} = ${time} + 1 where ${key} = ${one}`],
      delete: [sql`delete from ${from} where ${key} = ${one}`],
      swap: [
        sql`update ${from} set ${key} = 999999999 where ${key} = ${one}`,
        sql`update ${from} set ${key} = ${one} where ${key} = ${two}`,
        sql`update ${from} set ${key} = ${two} where ${key} = 999999999`,
      ],
      cut: [
        sql`delete from ${from} where ${key} >= ${one}`,
        sql`update chain_heads set number = ${one} - 1, hash = (select hash from ${from} where ${key} = ${one} - 1) where name = ${table} and ${one} > 1`,
      ],
      insert: [
        sql`update chain_heads set number = number + 1 where name = ${table}`,
        table === 'audit'
          ? sql`insert into audit (id, at_ms, user_id, user_name, address, action, target, result, details, previous, hash) select 1 + (select max(id) from audit), at_ms, user_id, user_name, address, action, target, result, details, previous, hash from audit where id = ${one}`
          : sql`insert into evidence (number, at_ms, kind, content, previous, hash, signature) select 1 + (select max(number) from evidence), at_ms, kind, content, previous, hash, signature from evidence where number = ${one}`,
      ],
    } as const
    const names = Object.keys(ways) as (keyof typeof ways)[]
    const way = names[random(names.length)] ?? 'text'
    await inDatabase(place, ways[way])
    const last = numbers.at(-1) ?? 0
    const isNamedBy = {
      text: isOf(one),
      time: isOf(one),
      delete: isOf(one),
      swap: isOf(one, two),
      cut: (finding: Finding) => finding.kind === table && (finding.entry ?? 0) >= one - 1,
      insert: isOf(last + 1),
    }[way]
    return { what: `${table} ${way} ${one} ${two}`, isNamedBy, takeBack }
  }

type Unit = { readonly policy: number; readonly day: number; readonly partition: string }

async function pickUnit({ engine: { store } }: EvidencePlace, random: Random): Promise<Unit> {
  const rows = await store.query<{ policy: number; day: number; partition: string }>({
    sql: `SELECT policy, toUInt32(toDate(received)) AS day, concat('(', toString(policy), ',', toString(toYYYYMMDD(received, 'UTC')), ')') AS partition
      FROM events WHERE toDate(received) < (SELECT max(toDate(received)) FROM events) GROUP BY policy, day, partition ORDER BY policy, day`,
  })
  const unit = rows[random(rows.length)]
  if (unit === undefined) throw new Error('there is no finished day')
  return unit
}

const rowChange: Make = async (place, random) => {
  const { store } = place.engine
  const unit = await pickUnit(place, random)
  const { policy, day, partition } = unit
  await store.command({ sql: 'DROP TABLE IF EXISTS kept_events SYNC' })
  await store.command({ sql: 'CREATE TABLE kept_events AS events' })
  await store.command({
    sql: `ALTER TABLE kept_events REPLACE PARTITION ${partition} FROM events`,
  })
  const rows = await store.query<{ offset: string; index: number; later: number }>({
    sql: `SELECT offset, index FROM events WHERE policy = {policy: UInt16} AND toUInt32(toDate(received)) = {day: UInt32} ORDER BY offset, index`,
    params: { policy, day },
  })
  const one = rows[random(rows.length)]
  const where = `policy = ${policy} AND offset = ${one?.offset} AND index = ${one?.index}`
  const columns = [
    "message = concat(message, 'x')",
    "rest = concat(rest, 'x')",
    "raw = 'x'",
    'size = size + 1',
    "host = 'x'",
    'log_id = log_id + 1',
    "source = 'x'",
    "layout = 'x'",
  ]
  const sorts = {
    update: `ALTER TABLE events UPDATE ${columns[random(columns.length)]} WHERE ${where}`,
    delete: `ALTER TABLE events DELETE WHERE ${where}`,
    insert: `INSERT INTO events SELECT * REPLACE(concat(message, ' by hand') AS message) FROM events WHERE ${where}`,
    drop: `ALTER TABLE events DROP PARTITION ${partition}`,
  }
  const names = Object.keys(sorts) as (keyof typeof sorts)[]
  const sort = names[random(names.length)] ?? 'update'
  await store.command({ sql: sorts[sort], settings: { mutations_sync: 2 } })
  return {
    what: `rows ${sort} ${partition} ${sort === 'update' ? sorts.update.slice(19, 60) : ''}`,
    isNamedBy: (finding) =>
      finding.kind === 'unit' && finding.policy === policy && finding.day === day,
    takeBack: async () => {
      await store.command({
        sql: `ALTER TABLE events REPLACE PARTITION ${partition} FROM kept_events`,
      })
    },
  }
}

const fileChange: Make = async (place, random) => {
  const { store } = place.engine
  const tables = ['events', 'events', 'events', 'counts']
  const table = tables[random(tables.length)] ?? 'events'
  const parts = await store.query<{ name: string; path: string; partition: string }>({
    sql: 'SELECT name, path, partition FROM system.parts WHERE database = currentDatabase() AND active AND table = {table: String} ORDER BY name',
    params: { table },
  })
  const part = parts[random(parts.length)]
  if (part === undefined) throw new Error('there is no part')
  const files = readdirSync(part.path)
    .filter((name) => statSync(join(part.path, name)).size > 0)
    .sort()
  const file = files[random(files.length)] ?? ''
  const path = join(part.path, file)
  const before = readFileSync(path)
  const ways = {
    flip: () => {
      const bytes = Buffer.from(before)
      const at = random(bytes.length)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8))
      writeFileSync(path, bytes)
    },
    cut: () => writeFileSync(path, before.subarray(0, random(before.length))),
    append: () => writeFileSync(path, Buffer.concat([before, before.subarray(0, 16)])),
    delete: () => rmSync(path),
    empty: () => writeFileSync(path, Buffer.alloc(before.length)),
  }
  // One that is gone is what the engine leaves of a part of another table.
  const names = (Object.keys(ways) as (keyof typeof ways)[]).filter(
    (name) => name !== 'delete' || file !== 'metadata_version.txt',
  )
  const way = names[random(names.length)] ?? 'flip'
  ways[way]()
  const [policy, date = 0] = part.partition.replace(/[()]/g, '').split(',').map(Number)
  const day =
    Date.UTC(Math.floor(date / 10_000), (Math.floor(date / 100) % 100) - 1, date % 100) / 86_400_000
  return {
    what: `file ${way} ${table} ${part.name} ${file}`,
    isNamedBy: (finding) =>
      table === 'events'
        ? (finding.kind === 'unit' || finding.kind === 'files') &&
          finding.policy === policy &&
          finding.day === day
        : finding.kind === 'files' && finding.text.includes(part.name),
    takeBack: async () => writeFileSync(path, before),
  }
}

export const CHANGES: readonly Make[] = [
  chainChange('audit'),
  chainChange('evidence'),
  rowChange,
  fileChange,
]
