// One `logeye start` of one role, as a machine of a cluster has it: started again when it ends,
// until it is stopped.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { systemClock } from '../../../infra/clock.ts'
import type { Role } from '../../../infra/supervisor/processes.ts'
import { guardProcess, hasEnded } from '../machine/guard-process.ts'
import { isReady, listProcesses } from '../product/product.ts'
import { waitUntil } from '../run/wait-until.ts'

const MAIN = join(import.meta.dirname, '../../../dist/main.js')
const RESTART_MS = 300
const FIRST_STARTS = 3
/** A start ends within five seconds of its signal (docs/guides/operate.md). */
const STOP_MS = 8000

export type NodePlan = {
  readonly name: string
  readonly role: Role
  readonly port: number
  readonly directory: string
  readonly environment: Readonly<Record<string, string>>
}

export type ClusterNode = {
  readonly name: string
  readonly role: Role
  readonly url: string
  readonly directory: string
  readonly logFile: string
  /** Of the start that runs now. */
  pid(): number | undefined
  /** To each of its processes, or to the one of the role alone, e.g. SIGKILL (it is started again),
   *  SIGSTOP, SIGCONT. */
  signal(signal: NodeJS.Signals, among?: 'all' | 'role'): void
  /** Fails with what it printed when it ends before, or at the limit. */
  untilReady(): Promise<void>
  output(): string
  /** In order; by force after 8 s. */
  stop(): Promise<void>
}

export function startNode(plan: NodePlan): ClusterNode {
  const { name, role, port, directory } = plan
  const url = `http://127.0.0.1:${port}`
  const logFile = join(dirname(directory), 'logs', `${name}.log`)
  mkdirSync(dirname(logFile), { recursive: true })
  const output = () => readFileSync(logFile, 'utf8')
  let child = spawnNode(plan, logFile)
  let hasBeenReady = false
  let isStopping = false
  let firstStarts = 1
  const onExit = async () => {
    await systemClock.sleep(RESTART_MS)
    if (isStopping) return
    // On a busy machine the engines may not answer in the time that a start waits for them.
    if (!hasBeenReady) firstStarts += 1
    if (firstStarts > FIRST_STARTS) return
    child = spawnNode(plan, logFile)
    child.once('exit', () => void onExit())
  }
  child.once('exit', () => void onExit())

  const signal = (signal: NodeJS.Signals, among: 'all' | 'role' = 'all') => {
    if (child.pid === undefined || hasEnded(child)) return
    const started = listProcesses(child.pid).map((it) => it.pid)
    for (const pid of among === 'all' ? [child.pid, ...started] : started) {
      try {
        process.kill(pid, signal)
      } catch {
        // It has ended meanwhile.
      }
    }
  }
  return {
    name,
    role,
    url,
    directory,
    logFile,
    pid: () => child.pid,
    signal,
    output,
    untilReady: async () => {
      const isUp = async () => {
        if (firstStarts > FIRST_STARTS && !hasBeenReady)
          throw new Error(`${name} does not become ready:\n${output().slice(-2000)}`)
        return await isReady(url)
      }
      await waitUntil(`${name} is ready`, isUp, () => output().slice(-2000))
      hasBeenReady = true
    },
    stop: async () => {
      isStopping = true
      if (hasEnded(child)) return
      const exit = once(child, 'exit')
      signal('SIGCONT')
      child.kill('SIGTERM')
      const over = new AbortController()
      const late = systemClock.sleep(STOP_MS, over.signal)
      await Promise.race([exit, late])
      over.abort()
      if (!hasEnded(child)) signal('SIGKILL')
    },
  }
}

function spawnNode({ role, port, directory, environment }: NodePlan, file: string): ChildProcess {
  const log = openSync(file, 'a', 0o600)
  // Settings of whoever starts us are not those of our nodes.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('LOGEYE_'))
  const child = spawn(process.execPath, [MAIN, 'start'], {
    stdio: ['ignore', log, log],
    env: {
      ...Object.fromEntries(inherited),
      LOGEYE_ROLES: role,
      LOGEYE_DATA_DIR: directory,
      LOGEYE_HTTP_ADDRESS: '127.0.0.1',
      LOGEYE_HTTP_PLAIN_PORT: String(port),
      ...environment,
    },
  })
  closeSync(log)
  guardProcess(child, 'KILL')
  return child
}
