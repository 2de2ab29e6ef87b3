// Before each behaviour file: which of the started products is its own, as the variables by which
// one is also given by hand.

export const PRODUCTS_VARIABLE = 'LOGEYE_TEST_PRODUCTS'

export type SharedProduct = {
  readonly url: string
  readonly token: string
  readonly password: string
  readonly supervisorPid: number
}

const { [PRODUCTS_VARIABLE]: started, VITEST_POOL_ID: worker } = process.env
if (started !== undefined) {
  const products: readonly SharedProduct[] = JSON.parse(started)
  // Workers are counted from 1; no two that run at once have one number.
  const product = products[Number(worker) - 1]
  if (product === undefined) throw new Error(`no product was started for worker ${worker}`)
  process.env.LOGEYE_TEST_URL = product.url
  process.env.LOGEYE_TEST_TOKEN = product.token
  process.env.LOGEYE_TEST_ADMIN_PASSWORD = product.password
  process.env.LOGEYE_TEST_SUPERVISOR_PID = String(product.supervisorPid)
}
