// Before each behaviour and browser file: which of the started products is its own, as the
// variables by which one is also given by hand.
import { readProducts } from './started-products.ts'

const products = readProducts()
if (products !== undefined) {
  // Workers are counted from 1; no two that run at once have one number.
  const worker = process.env.VITEST_POOL_ID
  const product = products[Number(worker) - 1]
  if (product === undefined) throw new Error(`no product was started for worker ${worker}`)
  process.env.LOGEYE_TEST_URL = product.url
  process.env.LOGEYE_TEST_TOKEN = product.token
  process.env.LOGEYE_TEST_ADMIN_PASSWORD = product.password
  process.env.LOGEYE_TEST_SUPERVISOR_PID = String(product.supervisorPid)
}
