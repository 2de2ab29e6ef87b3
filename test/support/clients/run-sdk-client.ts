// The SDK's client as its users run it: a process of its own.
import { spawn } from 'node:child_process'

export type Ran = { readonly code: number | null; readonly out: string; readonly err: string }

export type ClientInput = {
  readonly stdin?: string
  readonly password?: string
  readonly variables?: Readonly<Record<string, string>>
}

/** Variables of the process without a password of this machine, and those given. */
export function environmentOf({ variables, password }: ClientInput): NodeJS.ProcessEnv {
  const { LOGEYE_PASSWORD: _, ...env } = process.env
  return { ...env, ...variables, ...(password === undefined ? {} : { LOGEYE_PASSWORD: password }) }
}

export function runSdkClient(words: readonly string[], given: ClientInput = {}): Promise<Ran> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'query/sdk/client/main.ts', ...words], {
    env: environmentOf(given),
  })
  const ran = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    ran.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    ran.err += chunk
  })
  child.stdin.end(given.stdin ?? '')
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ ...ran, code }))
  })
}
