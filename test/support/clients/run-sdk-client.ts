// The SDK's client as its users run it: a process of its own.
import { spawn } from 'node:child_process'

export type Ran = { readonly code: number | null; readonly out: string; readonly err: string }

export function runSdkClient(
  words: readonly string[],
  given: {
    stdin?: string
    password?: string
    variables?: Readonly<Record<string, string>>
  } = {},
): Promise<Ran> {
  const { LOGEYE_PASSWORD: _, ...env } = process.env
  const child = spawn(process.execPath, ['--import', 'tsx', 'query/sdk/client/main.ts', ...words], {
    env: {
      ...env,
      ...given.variables,
      ...(given.password === undefined ? {} : { LOGEYE_PASSWORD: given.password }),
    },
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
