// The command line client as a process of its own.
import { spawn } from 'node:child_process'

export type RanSdk = { code: number | null; out: string; err: string }

export function runSdk(words: readonly string[], stdin = ''): Promise<RanSdk> {
  const { LOGEYE_PASSWORD: _, ...env } = process.env
  const program = ['--import', 'tsx', 'query/sdk/client/main.ts']
  const child = spawn(process.execPath, [...program, ...words], { env })
  const ran: RanSdk = { code: null, out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    ran.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    ran.err += chunk
  })
  child.stdin.end(stdin)
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ ...ran, code }))
  })
}
