import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { findDatabaseTests, OWNS_SQL } from '../support/database/database-tests.ts'

const LANES = ['infra', 'ingest', 'portal', 'query']
/** A statement of Kysely: built, or written with its `sql`. */
const STATEMENT =
  /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|import \{[^}]*\bsql\b[^}]*\} from 'kysely'/
/** By which a test opens the database of the run. */
const PLACE = 'test/support/database/database-place.ts'

/** Statements of one dialect alone, which have a test of their own (ONLY_SQLITE, ONLY_POSTGRES). */
const OF_ONE_DIALECT = ['infra/database/sqlite', 'infra/database/postgres/']
/** What only roles/ wire: tests of a whole product run it. */
const OF_A_PRODUCT = [
  'infra/evidence/send-heads.ts',
  'infra/heartbeat/installation.ts',
  'infra/metastore/accounts/day-bytes.ts',
  'infra/metastore/ledger/log-numbers.ts',
  'infra/supervisor/choose-ports.ts',
  'portal/operation/back-up-portal.ts',
]

const owners = Object.entries(OWNS_SQL).map(([name, paths]) => ({
  file: `test/contract/${name}.test.ts`,
  paths,
}))
const withStatements = LANES.flatMap((lane) =>
  readdirSync(lane, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(lane, name)),
).filter((file) => STATEMENT.test(textOf(file)))

it('each product file with statements is run by a test that owns them', () => {
  const isOwned = (file: string) =>
    owners.some((owner) => isBelow(file, owner.paths) && reach(owner.file).has(file))
  const apart = [...OF_ONE_DIALECT, ...OF_A_PRODUCT]
  expect(withStatements.filter((file) => !isBelow(file, apart) && !isOwned(file))).toEqual([])
})

it('what no contract test runs is still so', () => {
  const files = findDatabaseTests('test/contract')
  for (const file of OF_A_PRODUCT) {
    expect(withStatements).toContain(file)
    expect(files.filter((test) => reach(test).has(file))).toEqual([])
  }
})

it.each(owners)(
  '$file opens the database, and has the statements that it owns',
  ({ file, paths }) => {
    expect(reach(file)).toContain(PLACE)
    for (const path of paths)
      expect(
        withStatements.filter((it) => isBelow(it, [path]) && reach(file).has(it)),
        path,
      ).not.toEqual([])
  },
)

function isBelow(file: string, paths: readonly string[]): boolean {
  return paths.some((path) => file.startsWith(path))
}

const reached = new Map<string, ReadonlySet<string>>()

/** What a file imports, however far away; types are no code. */
function reach(file: string): ReadonlySet<string> {
  const known = reached.get(file)
  if (known !== undefined) return known
  const found = new Set<string>()
  const next = [file]
  for (let one = next.pop(); one !== undefined; one = next.pop()) {
    if (found.has(one) || !existsSync(one)) continue
    found.add(one)
    next.push(...importsOf(one))
  }
  reached.set(file, found)
  return found
}

const imported = new Map<string, readonly string[]>()

function importsOf(file: string): readonly string[] {
  const known = imported.get(file)
  if (known !== undefined) return known
  const statements =
    /(?:^|\n)(import|export)\s(?!type\s)[^;'"]*?from '(\.{1,2}\/[^']+)'|import\('(\.{1,2}\/[^']+)'\)/g
  const paths = [...textOf(file).matchAll(statements)].map((it) => it[2] ?? it[3] ?? '')
  const found = paths.map((path) => join(dirname(file), path))
  imported.set(file, found)
  return found
}

function textOf(file: string): string {
  return readFileSync(file, 'utf8')
}
