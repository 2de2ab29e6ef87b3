// Starts the product as a user does (the supervisor on a data directory of its own and free ports)
// and knows its processes. For benchmarks, chaos campaigns and the behaviour tests. Everything it
// starts it also ends.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../../infra/clock.ts'
import { claimPort } from '../../../infra/supervisor/free-port.ts'
import { waitUntil } from '../run/wait-until.ts'

const ROOT = join(import.meta.dirname, '../../..')
const STOP_LIMIT_MS = 15_000
const PORTS_FROM = 10_000
const PORTS_OF_WORKER = 1000
/** Begins somewhere: a worker may be followed by another one with its number. */
let given = randomInt(PORTS_OF_WORKER)

export type Product = {
  readonly url: string
  readonly port: number
  readonly dataDir: string
  /** Known after the first start of a data directory; kept by the caller over restarts. */
  readonly secrets: Secrets
  readonly supervisorPid: number
  /** Milliseconds from spawn to ready. */
  readonly startMs: number
  /** Everything printed so far. */
  output(): string
  /** SIGTERM and wait; SIGKILL of all after 15 s. Resolves with the milliseconds it took. */
  stop(): Promise<number>
  /** Every process of the product, the supervisor included, at once. */
  killAll(): Promise<void>
  /** Living processes by role, read from the process table. */
  processes(): ProductProcess[]
  /** Of the first with this role, which may just be started again. */
  pidOf(role: string): Promise<number>
}

export type Secrets = { readonly token: string; readonly password: string }
export type ProductProcess = { readonly pid: number; readonly role: string }

export type ProductOptions = {
  readonly dataDir: string
  readonly port?: number
  readonly secrets?: Secrets
  readonly environment?: Readonly<Record<string, string>>
  /** Arguments before the script, for example a profiler's. */
  readonly nodeArguments?: readonly string[]
}

export async function startProduct(options: ProductOptions): Promise<Product> {
  const port = options.port ?? (await findFreePort())
  const started = performance.now()
  const child = spawn(
    process.execPath,
    [...(options.nodeArguments ?? []), join(ROOT, 'dist/main.js'), 'start'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        LOGEYE_DATA_DIR: options.dataDir,
        LOGEYE_HTTP_ADDRESS: '127.0.0.1',
        LOGEYE_HTTP_PLAIN_PORT: String(port),
        // A portal would take port 30300; who wants one names its roles.
        LOGEYE_ROLES: 'listener,query,writer,scheduler,store',
        ...options.environment,
      },
    },
  )
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  const pid = child.pid
  if (pid === undefined) throw new Error('the product could not be spawned')
  const url = `http://127.0.0.1:${port}`
  try {
    await waitUntilReady(url, child, () => output)
  } catch (error) {
    await killProcesses(pid)
    throw error
  }
  const startMs = performance.now() - started
  const secrets = options.secrets ?? readSecrets(output)
  return {
    url,
    port,
    dataDir: options.dataDir,
    secrets,
    supervisorPid: pid,
    startMs,
    output: () => output,
    stop: () => stop(child, pid),
    killAll: () => killProcesses(pid),
    processes: () => listProcesses(pid),
    pidOf: (role) => waitForPid(pid, role),
  }
}

/** Of a range that no other worker draws from, nor the product for its processes, nor the system
 *  for outgoing connections: it is free until it is used. */
export async function findFreePort(): Promise<number> {
  const first = PORTS_FROM + PORTS_OF_WORKER * (Number(process.env.VITEST_POOL_ID ?? 0) % 10)
  for (let tries = 0; tries < PORTS_OF_WORKER; tries += 1) {
    given = (given + 1) % PORTS_OF_WORKER
    const claim = { address: '127.0.0.1', port: first + given, setting: '' }
    const port = await claimPort(claim, systemClock).catch(() => undefined)
    if (port !== undefined) return port
  }
  throw new Error(`no port from ${first} on is free`)
}

/** Resolves when /logeye/health/ready answers 200. */
export async function waitUntilReady(
  url: string,
  child: ChildProcess,
  output: () => string,
): Promise<void> {
  const isReadyNow = () => {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`the product ended with ${child.exitCode ?? child.signalCode}:\n${output()}`)
    }
    return isReady(url)
  }
  await waitUntil('the product is ready', isReadyNow, output)
}

/** Of a product that was started before, after one of its processes was killed. */
export async function waitUntilUrlReady(url: string): Promise<void> {
  await waitUntil('the product is ready', () => isReady(url))
}

export async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/logeye/health/ready`, { signal: AbortSignal.timeout(2000) })
    await answer.arrayBuffer()
    return answer.status === 200
  } catch {
    return false
  }
}

export function readSecrets(output: string): Secrets {
  const token = /[?&]token=([^\s&'"]+)/.exec(output)?.[1]
  const password = /[?&]password=([^\s&'"]+)/.exec(output)?.[1]
  if (!token || !password)
    throw new Error(`the first start printed no token or password:\n${output}`)
  return { token: decodeURIComponent(token), password: decodeURIComponent(password) }
}

async function stop(child: ChildProcess, pid: number): Promise<number> {
  const started = performance.now()
  if (child.exitCode !== null || child.signalCode !== null) return 0
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const limit = setTimeout(() => void killProcesses(pid), STOP_LIMIT_MS)
  await ended
  clearTimeout(limit)
  return performance.now() - started
}

async function killProcesses(supervisorPid: number): Promise<void> {
  const pids = [supervisorPid, ...listProcesses(supervisorPid).map((process) => process.pid)]
  for (const pid of pids) kill(pid)
  await waitUntil('the processes of the product end', () => !pids.some(isAlive))
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

/** False also for a zombie. */
export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Living children of a supervisor. */
export function listProcesses(supervisorPid: number): ProductProcess[] {
  const found: ProductProcess[] = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const parent = Number(
        /^\d+ \(.*\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1],
      )
      if (parent !== supervisorPid) continue
      const argv = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
      found.push({ pid: Number(name), role: argv[argv.indexOf('role') + 1] ?? 'unknown' })
    } catch {
      // It ended while we looked.
    }
  }
  return found
}

async function waitForPid(supervisorPid: number, role: string): Promise<number> {
  const processes = () => listProcesses(supervisorPid)
  const find = () => processes().find((process) => process.role === role)
  return (await waitUntil(`a process has the role ${role}`, find, processes)).pid
}

/** Living processes that were started on this data directory. */
export function processesOn(dataDir: string): number[] {
  const found: number[] = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue
    try {
      if (readFileSync(`/proc/${name}/environ`, 'utf8').includes(`LOGEYE_DATA_DIR=${dataDir}\0`))
        found.push(Number(name))
    } catch {
      // Not ours, or ended.
    }
  }
  return found
}
