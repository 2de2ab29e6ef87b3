// All figures of the portal, one after another: `npm run bench:portal`. A figure that is missed is
// told by its part, and makes this fail at the end.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const PARTS = [
  ['quotes in the engine', 'bench-pricing.ts'],
  ['forecast and credits', 'bench-forecast.ts'],
  ['heartbeats on SQLite', 'bench-heartbeat.ts'],
  ['heartbeats on PostgreSQL', 'bench-heartbeat.ts', '--postgres'],
  ['calls over HTTP', 'bench-calls.ts'],
] as const
const LIMIT_MS = 30 * 60_000

for (const [name, file, ...words] of PARTS) {
  console.log(`\n${name}`)
  const script = join(import.meta.dirname, file)
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', script, ...words], {
    stdio: 'inherit',
    timeout: LIMIT_MS,
  })
  if (status !== 0) process.exitCode = 1
}
