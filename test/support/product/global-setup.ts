// The products of the behaviour tests, one a worker, started as a user starts them, so that files
// which run at once do not meet; or one that runs already, by LOGEYE_TEST_URL, for all files one
// after the other (vitest.config.ts).
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startProduct } from './product.ts'
import { keepProducts } from './started-products.ts'

export default async function setup(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  if (process.env.LOGEYE_TEST_URL) {
    sayOwnProducts(process.env.LOGEYE_TEST_URL)
    return undefined
  }
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
  return { dataDir, product: await startProduct({ dataDir }) }
}

/** What runs on a product that the tests start themselves is not shown for the one that was
 *  given. */
function sayOwnProducts(url: string): void {
  const folder = join(import.meta.dirname, '../../behaviour')
  const startsOwn = /\b(?:startProduct|startCluster)\(|dist\/main|loadtest\/chaos/
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .filter((name) => startsOwn.test(readFileSync(join(folder, name), 'utf8')))
  process.stdout.write(
    `These start a product of their own, for all or some of their tests, whatever runs at ${url}: ${names.join(', ')}\n`,
  )
}
