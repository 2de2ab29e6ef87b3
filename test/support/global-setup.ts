// One product for all behaviour tests of a run, started as a user starts it; or one that runs already, by LOGEYE_TEST_URL.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProduct } from '../../loadtest/support/product.ts'

export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.LOGEYE_TEST_URL) return undefined
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
