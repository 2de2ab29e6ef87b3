// The portal as a process of its own, started as a user starts it.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findFreePort, type Product, startProduct } from '../product/product.ts'

const MAIN = join(import.meta.dirname, '../../../dist/main.js')
const COMMAND_MS = 120_000

export type PortalProcess = {
  /** Of the portal. */
  readonly url: string
  readonly product: Product
  readonly environment: Readonly<Record<string, string>>
  /** Runs a command on the machine of the portal; resolves with what it prints. */
  logeye(...words: string[]): Promise<string>
  stop(): Promise<void>
}

export async function startPortalProcess(options: {
  readonly dataDir: string
  readonly environment?: Readonly<Record<string, string>>
  /** Done before it starts. */
  readonly before?: (logeye: PortalProcess['logeye']) => Promise<void>
}): Promise<PortalProcess> {
  const { dataDir, before } = options
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const environment = {
    LOGEYE_ROLES: 'portal',
    LOGEYE_DATA_DIR: dataDir,
    LOGEYE_PORTAL_PLAIN_PORT: String(port),
    LOGEYE_PORTAL_PUBLIC_URL: url,
    ...options.environment,
  }
  const logeye = async (...words: string[]) => {
    const told = { env: { ...process.env, ...environment }, timeout: COMMAND_MS }
    return (await promisify(execFile)(process.execPath, [MAIN, ...words], told)).stdout
  }
  await before?.(logeye)
  // A portal has no accounts of a product.
  const secrets = { token: '', password: '' }
  const product = await startProduct({ dataDir, environment, secrets })
  const stop = async () => void (await product.stop())
  return { url, product, environment, logeye, stop }
}

/** The operator token in what a command printed. */
export function operatorOf(printed: string): string {
  return /opr_[0-9A-Za-z]+/.exec(printed)?.[0] ?? ''
}
