import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { findDatabaseTests } from './test/support/database/database-tests.ts'
import { postgresMissing } from './test/support/database/postgres-server.ts'

/** What only a PostgreSQL server has, and what only the embedded database has. */
const ONLY_POSTGRES = 'test/contract/database/postgres*.test.ts'
const ONLY_SQLITE = 'test/contract/database/database-sqlite.test.ts'
/** Hundreds of queries of the store, for which the database lends the same few names each time; and
 *  what only borrows a logger. */
const STORE_ALONE = [
  'language/language-reference',
  'language/manual',
  'event-log/event-log',
  'writer/writer-kafka',
  'machine/variants',
].map((name) => `test/contract/${name}.test.ts`)

/** Many files wait for engines most of their time: also two processors have two at once. Behaviour
 *  tests come one after the other. */
const FILES_AT_ONCE = Math.max(2, availableParallelism() - 1)

/** What a project does not take over from the whole. */
const EVERYWHERE = {
  // No commit is refused by luck.
  setupFiles: ['test/support/run/fixed-seeds.ts'],
  // A test that asserts nothing (a loop over nothing, a callback that never came) fails.
  expect: { requireAssertions: true },
}

/** Where it is not, test/contract/machine/variants.test.ts says so. */
const isPostgresHere =
  process.env.LOGEYE_TEST_POSTGRES !== undefined || postgresMissing() === undefined

export default defineConfig({
  test: {
    reporters: ['default', './test/support/run/closing-line.ts'],
    maxWorkers: FILES_AT_ONCE,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          ...EVERYWHERE,
          pool: 'threads',
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'contract',
          include: ['test/contract/**/*.test.ts'],
          exclude: [ONLY_POSTGRES],
          ...EVERYWHERE,
          pool: 'forks',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'postgres',
          include: isPostgresHere ? [ONLY_POSTGRES, ...findDatabaseTests('test/contract')] : [],
          exclude: [ONLY_SQLITE, ...STORE_ALONE],
          ...EVERYWHERE,
          env: { LOGEYE_TEST_DIALECT: 'postgres' },
          globalSetup: ['test/support/database/postgres-setup.ts'],
          pool: 'forks',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'behaviour',
          include: ['test/behaviour/**/*.test.ts'],
          ...EVERYWHERE,
          pool: 'forks',
          fileParallelism: false,
          globalSetup: ['test/support/product/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
