// Starts the cluster as a user does and reads from its output where everything is.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../../..')
const SCRIPT = 'loadtest/cluster/main.ts'
const START_LIMIT_MS = 240_000
const STOP_LIMIT_MS = 60_000

export type RunningCluster = {
  readonly pid: number
  readonly url: string
  /** Events go to a listener itself: the edge of a trial cluster is no part of what is measured. */
  readonly listenerPort: number
  readonly token: string
  readonly password: string
  stop(): Promise<void>
}

export async function startClusterScript(directory: string): Promise<RunningCluster> {
  const child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, '--data', directory], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { pid } = child
  if (pid === undefined) throw new Error('the cluster could not be spawned')
  let output = ''
  const add = (chunk: unknown) => {
    output += String(chunk)
  }
  child.stdout.on('data', add)
  child.stderr.on('data', add)
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    // What it has started ends with it.
    const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
    await ended
    clearTimeout(limit)
  }
  const deadline = performance.now() + START_LIMIT_MS
  while (!output.includes('Ctrl-C')) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop()
      throw new Error(`the cluster did not start:\n${output.slice(-2000)}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const find = (pattern: RegExp) => pattern.exec(output)?.[1] ?? ''
  return {
    pid,
    url: find(/^ {2}all\s+(\S+)/m),
    listenerPort: Number(find(/^ {2}listener-1\s+http:\/\/\S+:(\d+)/m)),
    token: find(/^ {2}token\s+(\S+)/m),
    password: find(/^ {2}password\s+(\S+)/m),
    stop,
  }
}
