// The frame of a load test: a product on a data directory of its own, whose output is printed when
// the test fails, and of which nothing is left. What the test finds wrong is printed at the end and
// makes the exit status 1.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Product, startProduct } from '../../test/support/product/product.ts'

const PRINTED_OUTPUT = 4000

/** `name` stands in the directory's. The environment may depend on where the data lies. */
export async function onFreshProduct(
  name: string,
  test: (product: Product) => Promise<readonly string[]>,
  environment: (dataDir: string) => Readonly<Record<string, string>> = () => ({}),
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), `logeye-${name}-`))
  let failures: readonly string[]
  try {
    const product = await startProduct({ dataDir, environment: environment(dataDir) })
    try {
      failures = await test(product)
    } catch (error) {
      console.error(product.output().slice(-PRINTED_OUTPUT))
      throw error
    } finally {
      await product.killAll()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
  for (const failure of new Set(failures)) console.error(`WRONG: ${failure}`)
  // Agents and sockets of the test may still be open.
  process.exit(failures.length > 0 ? 1 : 0)
}
