// The product on a damaged directory: it may become ready, stay unready, or end by itself.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { findFreePort, processesOn } from '../../../test/support/product/product.ts'

const MAIN = join(import.meta.dirname, '../../../dist/main.js')
const READY_MS = 90_000
const STOP_MS = 20_000
const POLL_MS = 100

export type DamagedProduct = {
  readonly url: string
  /** How it began: ready, still not ready after the limit, or ended with this status (a signal is
   *  -1). */
  readonly began: 'ready' | 'not ready' | { readonly ended: number }
  output(): string
  /** What it says of itself now; empty where nothing answers. */
  health(): Promise<string>
  end(): Promise<void>
}

export async function startDamaged(dataDir: string): Promise<DamagedProduct> {
  const port = await findFreePort()
  const child = spawn(process.execPath, [MAIN, 'start'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      LOGEYE_DATA_DIR: dataDir,
      LOGEYE_HTTP_ADDRESS: '127.0.0.1',
      LOGEYE_HTTP_PLAIN_PORT: String(port),
      LOGEYE_PORTAL_PLAIN_PORT: '0',
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const url = `http://127.0.0.1:${port}`
  const began = await untilBegun(url, child)
  return {
    url,
    began,
    output: () => output,
    health: async () => (await askHealth(url)).text,
    end: () => end(child, dataDir),
  }
}

async function untilBegun(url: string, child: ChildProcess): Promise<DamagedProduct['began']> {
  for (const begin = performance.now(); performance.now() - begin < READY_MS; await sleep()) {
    if (child.exitCode !== null) return { ended: child.exitCode }
    if (child.signalCode !== null) return { ended: -1 }
    if ((await askHealth(url)).status === 200) return 'ready'
  }
  return 'not ready'
}

async function askHealth(url: string): Promise<{ status: number; text: string }> {
  try {
    const signal = AbortSignal.timeout(2000)
    const answer = await fetch(`${url}/logeye/health/ready`, { signal })
    return { status: answer.status, text: await answer.text() }
  } catch {
    return { status: 0, text: '' }
  }
}

async function end(child: ChildProcess, dataDir: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await Promise.race([ended, sleep(STOP_MS)])
  }
  for (const pid of processesOn(dataDir)) process.kill(pid, 'SIGKILL')
  while (processesOn(dataDir).length > 0) await sleep()
}

function sleep(ms = POLL_MS): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
