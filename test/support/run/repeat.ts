// `npm run test:repeat -- <file> [times]`: runs a test file again and again while two processes use
// all of two processors, each time in another random order. Prints one line a run, and the output
// of those that failed. Exit status 1 when one failed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')
const DEFAULT_TIMES = 20
const BUSY_PROCESSES = 2

const [file, times = String(DEFAULT_TIMES)] = process.argv.slice(2)
if (file === undefined || !/^[1-9]\d*$/.test(times)) {
  console.error('usage: npm run test:repeat -- <file> [times]')
  process.exit(2)
}

const busy = Array.from({ length: BUSY_PROCESSES }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
)
process.once('exit', () => {
  for (const child of busy) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

let failed = 0
for (let run = 1; run <= Number(times); run += 1) {
  const child = spawn(
    process.execPath,
    [
      join(ROOT, 'node_modules/vitest/vitest.mjs'),
      ...['run', file, '--sequence.shuffle', '--sequence.seed', String(run)],
    ],
    { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const began = process.hrtime.bigint()
  const [output, status] = await Promise.all([readAll(child), exitOf(child)])
  const seconds = Number((process.hrtime.bigint() - began) / 1_000_000n) / 1000
  if (status !== 0) failed += 1
  console.log(`run ${run}, seed ${run}: ${status === 0 ? 'passed' : 'FAILED'} in ${seconds} s`)
  if (status !== 0) console.log(output)
}
console.log(`${Number(times) - failed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

async function readAll({ stdout, stderr }: ChildProcess): Promise<string> {
  const chunks: Buffer[] = []
  for (const stream of [stdout, stderr]) stream?.on('data', (chunk: Buffer) => chunks.push(chunk))
  await Promise.all([stdout, stderr].map((stream) => stream && once(stream, 'end')))
  return Buffer.concat(chunks).toString()
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  await once(child, 'exit')
  return child.exitCode
}
