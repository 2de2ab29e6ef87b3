// The products that a run has started for its behaviour tests, one a worker, as the run and its
// workers know them.

export const BEHAVIOUR = 'behaviour'
const VARIABLE = 'LOGEYE_TEST_PRODUCTS'

export type StartedProduct = {
  readonly url: string
  readonly token: string
  readonly password: string
  readonly supervisorPid: number
}

/** Known to every worker that is started afterwards. */
export function keepProducts(products: readonly StartedProduct[]): void {
  process.env[VARIABLE] = JSON.stringify(products)
}

/** Nothing where none was started: one was given by hand, or no behaviour test runs. */
export function readProducts(): readonly StartedProduct[] | undefined {
  const text = process.env[VARIABLE]
  return text === undefined ? undefined : JSON.parse(text)
}
