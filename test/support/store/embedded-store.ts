// The embedded store as a child process on a directory of its own, with migrated tables: for every
// test that needs a real store.
import { type ChildProcess, fork } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrateStore } from '../../../infra/store/migrate.ts'
import { openStore } from '../../../infra/store/open.ts'
import type { Store } from '../../../infra/store/port.ts'
import { PROCESSES } from '../../../infra/supervisor/processes.ts'
import { waitUntil } from '../run/wait-until.ts'

export type EmbeddedStore = {
  /** Stays valid over kill9 and restart: the port does not change. */
  readonly store: Store
  readonly url: string
  readonly password: string
  readonly dataDir: string
  readonly pid: () => number
  /** Ends the process in order and removes the directory. */
  stop(): Promise<void>
  /** For the end of this process: SIGKILL, and the directory is removed, all at once. */
  removeAtExit(): void
  /** Resolves when the process is gone. */
  kill9(): Promise<void>
  /** Starts it again on the same directory and port. `maxFileBytes` as at the start. */
  restart(limits?: { maxFileBytes?: number }): Promise<void>
  /** SIGSTOP and SIGCONT. */
  pause(): void
  resume(): void
}

export async function startEmbeddedStore(
  options: {
    maxMemoryBytes?: number
    maxStallMs?: number
    dataDir?: string
    shouldMigrate?: boolean
    configFile?: string
    /** On other disks. */
    directories?: readonly string[]
    /** Until it is started again: writes beyond it fail, as on a full disk. */
    maxFileBytes?: number
  } = {},
): Promise<EmbeddedStore> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'logeye-test-store-')))
  const password = 'test-password'
  const maxMemoryBytes = options.maxMemoryBytes ?? 900 * 1024 * 1024
  const { maxStallMs, configFile, directories = [] } = options
  const given = { dataDir, password, maxMemoryBytes, maxStallMs, configFile, directories }
  const start = (port: number, maxFileBytes?: number) =>
    startProcess({ ...given, port }, maxFileBytes)
  let { child, port } = await start(0, options.maxFileBytes)
  const url = `http://127.0.0.1:${port}`
  const store = await openStore({ url, password })
  if (options.shouldMigrate ?? true) await migrateStore(store)
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    const hasEnded = () => child.exitCode !== null || child.signalCode !== null
    if (hasEnded()) return
    child.kill(signal)
    await waitUntil('the store process has ended', hasEnded)
  }
  return {
    store,
    url,
    password,
    dataDir,
    pid: () => child.pid ?? 0,
    stop: async () => {
      await store.close()
      await end('SIGTERM')
      await rm(dataDir, { recursive: true, force: true })
    },
    removeAtExit: () => {
      child.kill('SIGKILL')
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
    },
    kill9: () => end('SIGKILL'),
    restart: async ({ maxFileBytes } = {}) => {
      ;({ child, port } = await start(port, maxFileBytes))
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
  }
}

/** The unit of the shell's limit. */
const BLOCK_BYTES = 512

async function startProcess(
  arg: {
    dataDir: string
    port: number
    password: string
    maxMemoryBytes: number
    maxStallMs: number | undefined
    configFile: string | undefined
    directories: readonly string[]
  },
  maxFileBytes: number | undefined,
): Promise<{ child: ChildProcess; port: number }> {
  const file = fileURLToPath(new URL('./store-process.ts', import.meta.url))
  const options = ['--import', 'tsx']
  const blocks = Math.ceil((maxFileBytes ?? 0) / BLOCK_BYTES)
  const shell = ['-c', `ulimit -S -f ${blocks}; exec "$0" "$@"`, process.execPath, ...options]
  const child = fork(file, [JSON.stringify(arg)], {
    ...(maxFileBytes === undefined
      ? { execArgv: options }
      : { execPath: '/bin/sh', execArgv: shell }),
    env: { ...process.env, UV_THREADPOOL_SIZE: String(PROCESSES.store.threads) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const started = new Promise<number>((resolve, reject) => {
    child.once('message', (message: { port: number }) => resolve(message.port))
    child.once('exit', (code) => reject(new Error(`the store process ended with ${code}`)))
  })
  return { child, port: await started }
}
