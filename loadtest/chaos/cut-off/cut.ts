// Kills at random moments: what a run of such kills needs and gives.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type Cuts = {
  /** `kill -9` that met something alive. */
  readonly kills: number
  /** Of these: what was cut had not ended. */
  readonly unfinished: number
  /** What must not be; none is good. */
  readonly faults: readonly string[]
}

export type Random = (below: number) => number

const ROOT = join(import.meta.dirname, '../../..')
export const MAIN = join(ROOT, 'dist/main.js')
export const CLIENT = join(ROOT, 'dist/query/sdk/client/main.js')

export type Ran = { readonly status: number | null; readonly err: string; readonly ms: number }

/** A program of the product to its end, or to the kill after `killAfterMs`: `status` is null. */
export async function runProgram(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  killAfterMs?: number,
): Promise<Ran> {
  const beganMs = performance.now()
  const child: ChildProcess = spawn(process.execPath, words, {
    env: { ...process.env, LOGEYE_HTTP_PLAIN_PORT: '0', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let err = ''
  child.stderr?.on('data', (chunk) => {
    err += chunk
  })
  const ended = once(child, 'close')
  const over = new AbortController()
  if (killAfterMs !== undefined)
    void sleep(killAfterMs, undefined, over).then(
      () => child.kill('SIGKILL'),
      () => undefined,
    )
  const [status] = await ended
  over.abort()
  return { status, err, ms: performance.now() - beganMs }
}
