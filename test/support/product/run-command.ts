// The built program as a user calls it, to its end.
import { join } from 'node:path'
import { spawnSync } from '../run/run-sync.ts'

const MAIN = join(import.meta.dirname, '../../../dist/main.js')

export type Ended = { readonly status: number | null; readonly out: string; readonly err: string }

/** `under`: what stands before the command, e.g. a shell that lowers a limit. */
export function runCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  under: readonly string[] = [],
): Ended {
  const [command = '', ...rest] = [...under, process.execPath, MAIN, ...args]
  const { status, stdout, stderr } = spawnSync(command, rest, {
    env: { ...process.env, LOGEYE_HTTP_PLAIN_PORT: '0', ...environment },
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { status, out: stdout, err: stderr }
}
