import { statfsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import {
  findDatabaseTests,
  ONLY_POSTGRES,
  ONLY_SQLITE,
} from './test/support/database/database-tests.ts'
import { BEHAVIOUR } from './test/support/product/started-products.ts'
import { patient } from './test/support/run/patience.ts'
import { isFullTier } from './test/support/run/tier.ts'

/**
 * Many files wait for engines most of their time. Three at once on two processors ended tests by
 * their limits, so there are as many as processors, two at least. Each has
 * engines of its own: more processors have eight at most.
 */
const FILES_AT_ONCE = Math.min(8, Math.max(2, availableParallelism()))

/** Files of tests lie in memory where there is room: engines flush each change to the disk, and a
 * slow disk made up half of the time. TMPDIR of the caller wins. */
const MEMORY_DISK = '/dev/shm'
const MIN_FREE_BYTES = 8 * 1024 ** 3
if (process.env.TMPDIR === undefined && freeBytes(MEMORY_DISK) > MIN_FREE_BYTES)
  process.env.TMPDIR = MEMORY_DISK

function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  } catch {
    return 0
  }
}

/** Behaviour tests that share the product of their worker; all others start their own. */
const SHARED_PRODUCT = ['test/behaviour/ingest/**/*.test.ts', 'test/behaviour/search/**/*.test.ts']
const CLUSTER = 'test/behaviour/cluster/cluster.test.ts'

const COMMON = {
  env: {
    // What a test starts has no portal, unless it asks for one: each would take port 30300.
    LOGEYE_ROLES: 'listener,query,writer,scheduler,store',
    TZ: process.env.LOGEYE_TEST_ZONE ?? 'UTC',
  },
  setupFiles: ['test/support/run/fixed-seeds.ts', 'test/support/run/say-worker.ts'],
  // A test that asserts nothing (a loop over nothing, a callback that never came) fails.
  // A poll without a limit waits one second, too short for a busy machine.
  expect: { requireAssertions: true, poll: { timeout: patient(1000) } },
  testTimeout: 600_000,
  hookTimeout: 600_000,
}

const UNIT = {
  test: {
    ...COMMON,
    name: 'unit',
    include: ['test/unit/**/*.test.ts'],
    pool: 'threads' as const,
    // Pure code that leaves nothing behind: reloading it took half of the time.
    isolate: false,
  },
}

const CONTRACT = {
  test: {
    ...COMMON,
    name: 'contract',
    include: ['test/contract/**/*.test.ts'],
    exclude: [ONLY_POSTGRES],
    pool: 'forks' as const,
    // Reloading the product took two seconds of a processor for each file. All files of a worker
    // share one embedded store (test/support/store/shared-store.ts).
    isolate: false,
  },
}

const BEHAVIOUR_TESTS = {
  test: {
    ...COMMON,
    name: BEHAVIOUR,
    include: SHARED_PRODUCT,
    setupFiles: [...COMMON.setupFiles, 'test/support/product/use-product.ts'],
    pool: 'forks' as const,
    // A worker has its own product. A product given by hand serves one file after the other.
    fileParallelism: !process.env.LOGEYE_TEST_URL,
    globalSetup: ['test/support/product/global-setup.ts'],
  },
}

/** The parts of `npm run test:all` that `npm test` leaves out (docs/reference/testing.md). */
const FULL_TIER = [
  {
    test: {
      ...COMMON,
      name: 'postgres',
      include: [ONLY_POSTGRES, ...findDatabaseTests('test/contract')],
      exclude: [ONLY_SQLITE],
      env: { ...COMMON.env, LOGEYE_TEST_DIALECT: 'postgres' },
      globalSetup: ['test/support/database/postgres-setup.ts'],
      pool: 'forks' as const,
      isolate: false,
    },
  },
  {
    test: {
      ...COMMON,
      name: 'products',
      include: ['test/behaviour/**/*.test.ts'],
      exclude: [...SHARED_PRODUCT, CLUSTER],
      pool: 'forks' as const,
    },
  },
  {
    test: {
      ...COMMON,
      name: 'browser',
      include: ['test/browser/**/*.test.ts'],
      setupFiles: [...COMMON.setupFiles, 'test/support/product/use-product.ts'],
      pool: 'forks' as const,
      // One Chromium and one product per worker.
      isolate: false,
      fileParallelism: !process.env.LOGEYE_TEST_URL,
      globalSetup: ['test/support/product/global-setup.ts'],
    },
  },
  {
    test: {
      ...COMMON,
      name: 'cluster',
      include: [CLUSTER],
      pool: 'forks' as const,
      // It asserts that no request fails while processes are replaced: nothing runs next to it.
      fileParallelism: false,
    },
  },
]

export default defineConfig({
  test: {
    reporters: [
      'minimal',
      './test/support/product/end-products.ts',
      './test/support/run/end-hung-files.ts',
      './test/support/run/closing-line.ts',
    ],
    // A passing run prints only its summary; a failed test prints what it wrote.
    silent: 'passed-only',
    maxWorkers: FILES_AT_ONCE,
    projects: [UNIT, CONTRACT, BEHAVIOUR_TESTS, ...(isFullTier ? FULL_TIER : [])],
  },
})
