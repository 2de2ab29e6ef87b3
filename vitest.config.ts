import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import {
  findDatabaseTests,
  ONLY_POSTGRES,
  ONLY_SQLITE,
} from './test/support/database/database-tests.ts'
import { postgresMissing } from './test/support/database/postgres-server.ts'
import { BEHAVIOUR } from './test/support/product/started-products.ts'
import { patient } from './test/support/run/patience.ts'

/**
 * Many files wait for engines most of their time. Three at once on two processors ended tests by
 * their limits, so there are as many as processors, two at least. Each has
 * engines of its own: more processors have eight at most.
 */
const FILES_AT_ONCE = Math.min(8, Math.max(2, availableParallelism()))

/** Its promises are about time: no request fails while one process after the other is renewed. */
const ALONE = ['test/behaviour/cluster/cluster.test.ts']

/** What a project does not take over from the whole. */
const EVERYWHERE = {
  // What a test starts has no portal, unless it asks for one: each would take port 30300.
  env: { LOGEYE_ROLES: 'listener,query,writer,scheduler,store' },
  // No commit is refused by luck.
  setupFiles: ['test/support/run/fixed-seeds.ts', 'test/support/run/say-worker.ts'],
  // A test that asserts nothing (a loop over nothing, a callback that never came) fails.
  // A poll that is told no limit waits a second, which a busy machine takes for nothing.
  expect: { requireAssertions: true, poll: { timeout: patient(1000) } },
}

/** Where it is not, test/contract/machine/variants.test.ts says so. */
const isPostgresHere =
  process.env.LOGEYE_TEST_POSTGRES !== undefined || postgresMissing() === undefined

export default defineConfig({
  test: {
    reporters: [
      'default',
      './test/support/product/end-products.ts',
      './test/support/run/end-hung-files.ts',
      './test/support/run/closing-line.ts',
    ],
    maxWorkers: FILES_AT_ONCE,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          ...EVERYWHERE,
          pool: 'threads',
          // Pure code, and nothing that a file leaves behind: half of the time went into loading it
          // anew.
          isolate: false,
          testTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'contract',
          include: ['test/contract/**/*.test.ts'],
          exclude: [ONLY_POSTGRES],
          ...EVERYWHERE,
          pool: 'forks',
          // Two seconds of a processor a file went into loading the product anew.
          isolate: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'postgres',
          include: isPostgresHere ? [ONLY_POSTGRES, ...findDatabaseTests('test/contract')] : [],
          exclude: [ONLY_SQLITE],
          ...EVERYWHERE,
          env: { LOGEYE_TEST_DIALECT: 'postgres' },
          globalSetup: ['test/support/database/postgres-setup.ts'],
          pool: 'forks',
          isolate: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: BEHAVIOUR,
          include: ['test/behaviour/**/*.test.ts'],
          exclude: ALONE,
          ...EVERYWHERE,
          setupFiles: [...EVERYWHERE.setupFiles, 'test/support/product/use-product.ts'],
          pool: 'forks',
          // A worker has a product of its own; one that was given by hand is there for one file
          // after the other.
          fileParallelism: !process.env.LOGEYE_TEST_URL,
          globalSetup: ['test/support/product/global-setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          ...EVERYWHERE,
          pool: 'forks',
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'behaviour-alone',
          include: ALONE,
          ...EVERYWHERE,
          pool: 'forks',
          // After all others.
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})
