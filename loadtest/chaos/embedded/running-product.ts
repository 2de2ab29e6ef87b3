// The product of a campaign over its starts: the same data, port and secrets each time.
import {
  findFreePort,
  isReady,
  type Product,
  type ProductProcess,
  processesOn,
  type Secrets,
  startProduct,
} from '../../../test/support/product/product.ts'

const ORPHAN_LIMIT_MS = 3000
const POLL_MS = 10
const KEPT_OUTPUT = 20_000

export type RunningProduct = {
  readonly port: number
  readonly url: string
  readonly secrets: Secrets
  supervisorPid(): number
  /** Undefined while it is away. */
  find(role: string): ProductProcess | undefined
  processes(): ProductProcess[]
  isReady(): Promise<boolean>
  /** Everything, at once. */
  killAll(): Promise<void>
  /** After an end of the supervisor, whoever ended it. */
  startAgain(): Promise<void>
  stop(): Promise<string[]>
  output(): string
}

export async function runProduct(options: {
  dataDir: string
  environment: () => Record<string, string>
}): Promise<RunningProduct> {
  const { dataDir } = options
  const port = await findFreePort()
  const start = (secrets?: Secrets) =>
    startProduct({ dataDir, port, environment: options.environment(), ...(secrets && { secrets }) })
  let product: Product = await start()
  let printed = ''
  const { url, secrets } = product
  return {
    port,
    url,
    secrets,
    supervisorPid: () => product.supervisorPid,
    processes: () => product.processes(),
    find: (role) => product.processes().find((it) => it.role === role),
    isReady: () => isReady(url),
    killAll: () => product.killAll(),
    startAgain: async () => {
      printed = (printed + product.output()).slice(-KEPT_OUTPUT)
      product = await start(secrets)
    },
    stop: async () => {
      await product.stop()
      // The supervisor has ended: its children have a moment to see it.
      for (const begin = performance.now(); ; await sleep(POLL_MS)) {
        const orphans = processesOn(dataDir)
        if (orphans.length === 0) return []
        if (performance.now() - begin > ORPHAN_LIMIT_MS) return [`orphans: ${orphans.join(', ')}`]
      }
    },
    output: () => logLinesOf(printed + product.output()).slice(-KEPT_OUTPUT),
  }
}

/** A first start prints secrets too. */
function logLinesOf(printed: string): string {
  return printed
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .join('\n')
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
