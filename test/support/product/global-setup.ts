// The products of behaviour and browser tests, one for each worker, started as a user starts
// them, so that files which run at once do not meet; or one that runs already, by
// LOGEYE_TEST_URL, for one file after the other (vitest.config.ts).
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startProduct } from './product.ts'
import { keepProducts, readProducts } from './started-products.ts'

/** What `explain` and warnings find depends on the time they are given: on a busy machine, they
 * would not find the same twice. */
const ENVIRONMENT = { LOGEYE_SEARCH_HINTS_WITHIN_MS: '60000' }

export default async function setup(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  // Another project of the run has started them.
  if (process.env.LOGEYE_TEST_URL || readProducts() !== undefined) return undefined
  const workers = project.config.maxWorkers || project.vitest.config.maxWorkers
  const started = await Promise.all(Array.from({ length: workers }, start))
  keepProducts(
    started.map(({ product }) => {
      const { url, secrets, supervisorPid } = product
      return { url, ...secrets, supervisorPid }
    }),
  )
  // Most often they have ended by then (end-products.ts).
  return async () => {
    for (const { product, dataDir } of started) {
      await product.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
}

async function start() {
  const dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-product-'))
  return { dataDir, product: await startProduct({ dataDir, environment: ENVIRONMENT }) }
}
