// One product for all behaviour tests of a run, started as a user starts it; or one that runs already, by LOGEYE_TEST_URL.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProduct } from './product.ts'

export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.LOGEYE_TEST_URL) {
    sayOwnProducts(process.env.LOGEYE_TEST_URL)
    return undefined
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-product-'))
  const product = await startProduct({ dataDir })
  process.env.LOGEYE_TEST_URL = product.url
  process.env.LOGEYE_TEST_TOKEN = product.secrets.token
  process.env.LOGEYE_TEST_ADMIN_PASSWORD = product.secrets.password
  process.env.LOGEYE_TEST_SUPERVISOR_PID = String(product.supervisorPid)
  return async () => {
    await product.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** What runs on a product that the tests start themselves is not shown for the one that was given. */
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
