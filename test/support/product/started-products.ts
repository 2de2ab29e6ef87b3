// The products that a run has started, one for each worker, as the run and its workers know them.

export const BEHAVIOUR = 'behaviour'
/** Projects with files that share them. */
export const SHARING: readonly string[] = [BEHAVIOUR, 'browser']
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

/** Undefined where none was started: one was given by hand, or no test of these projects runs. */
export function readProducts(): readonly StartedProduct[] | undefined {
  const text = process.env[VARIABLE]
  return text === undefined ? undefined : JSON.parse(text)
}
