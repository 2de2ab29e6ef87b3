import { defineConfig } from 'vitest/config'

const SETUP = ['test/support/fixed-seeds.ts']

export default defineConfig({
  test: {
    reporters: ['default', './test/support/closing-line.ts'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          setupFiles: SETUP,
          pool: 'threads',
        },
      },
      {
        test: {
          name: 'contract',
          include: ['test/contract/**/*.test.ts'],
          setupFiles: SETUP,
          pool: 'forks',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'behaviour',
          include: ['test/behaviour/**/*.test.ts'],
          setupFiles: SETUP,
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
