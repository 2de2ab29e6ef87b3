import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { findDatabaseTests } from './test/support/database-tests.ts'
import { postgresBin } from './test/support/postgres-server.ts'

/** What only a PostgreSQL server has, and what only the embedded database has. */
const ONLY_POSTGRES = 'test/contract/postgres*.test.ts'
const ONLY_SQLITE = 'test/contract/database-sqlite.test.ts'
/** Hundreds of queries of the store, for which the database lends the same few names each time; and what only borrows a logger. */
const STORE_ALONE = ['language-reference', 'manual', 'event-log', 'writer-kafka'].map(
  (name) => `test/contract/${name}.test.ts`,
)

/** Many files wait for engines most of their time: also two processors have two at once. Behaviour tests come one after the other. */
const FILES_AT_ONCE = Math.max(2, availableParallelism() - 1)

/** No commit is refused by luck. */
const FIXED_SEEDS = ['test/support/fixed-seeds.ts']

const isPostgresHere = process.env.LOGEYE_TEST_POSTGRES !== undefined || postgresBin() !== undefined
if (!isPostgresHere)
  process.stderr.write(
    'SKIPPED: the database on PostgreSQL, which is not installed here, and LOGEYE_TEST_POSTGRES is not set\n',
  )

export default defineConfig({
  test: {
    reporters: ['default', './test/support/closing-line.ts'],
    maxWorkers: FILES_AT_ONCE,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          setupFiles: FIXED_SEEDS,
          pool: 'threads',
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'contract',
          include: ['test/contract/**/*.test.ts'],
          exclude: [ONLY_POSTGRES],
          setupFiles: FIXED_SEEDS,
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
          setupFiles: FIXED_SEEDS,
          env: { LOGEYE_TEST_DIALECT: 'postgres' },
          globalSetup: ['test/support/postgres-setup.ts'],
          pool: 'forks',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'behaviour',
          include: ['test/behaviour/**/*.test.ts'],
          setupFiles: FIXED_SEEDS,
          pool: 'forks',
          fileParallelism: false,
          globalSetup: ['test/support/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
