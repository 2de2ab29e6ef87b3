// What a backup costs ingest: events a second without and with one, in turn, in one run.
// `npm run bench:config`, or alone:
//   node infra/scripts/build.mjs && npx tsx loadtest/operation/backup-beside-ingest.ts [rounds]
// Each round with a backup has a quiet one beside it: the middle of their ratios counts, so that
// what else the machine does in one of them counts little.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { callSdk } from '../../test/support/clients/call-sdk.ts'
import { startProduct } from '../../test/support/product/product.ts'
import { startSteadyLoad } from '../../test/support/product/steady-load.ts'

const WARM_MS = 15_000
const QUIET_MS = 3000
const BACKUP_LIMIT_MS = 120_000
/** Of the rate without a backup. */
const AIM = 0.8
const rounds = Number(process.argv[2] ?? 5)
const dataDir = mkdtempSync(join(tmpdir(), 'logeye-load-backup-'))
const product = await startProduct({ dataDir })
const admin = { url: product.url, password: product.secrets.password }
const load = startSteadyLoad({ url: product.url, token: product.secrets.token })
const totals = { without: { events: 0, ms: 0 }, with: { events: 0, ms: 0 } }

/** Events a second. */
async function measure(kind: keyof typeof totals, work: () => Promise<unknown>): Promise<number> {
  const [events, beganMs] = [load.acknowledged().size, performance.now()]
  await work()
  const [ms, taken] = [performance.now() - beganMs, load.acknowledged().size - events]
  totals[kind].ms += ms
  totals[kind].events += taken
  return (taken / ms) * 1000
}

async function backUp(name: string): Promise<void> {
  const reply = await callSdk(admin, 'backup', { name })
  if (!reply.success) throw new Error(reply.errorMessage ?? 'refused')
  const deadline = performance.now() + BACKUP_LIMIT_MS
  while (performance.now() < deadline) {
    const { response } = await callSdk(admin, 'backup', { list: 'true' })
    if (JSON.stringify(response).includes(`"name":"${name}","state":"done"`)) return
    await sleep(200)
  }
  throw new Error(`the backup ${name} did not end`)
}

try {
  await sleep(WARM_MS)
  const ratios: number[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const quiet = await measure('without', () => sleep(QUIET_MS))
    ratios.push((await measure('with', () => backUp(`round-${round}`))) / quiet)
  }
  ratios.sort((a, b) => a - b)
  const middle = ratios[Math.floor(ratios.length / 2)] ?? Number.NaN
  const rate = ({ events, ms }: { events: number; ms: number }) => Math.round((events / ms) * 1000)
  process.stdout.write(
    `ingest beside a backup: ${rate(totals.with)} of ${rate(totals.without)} events/s, by rounds ${ratios.map((it) => it.toFixed(2)).join(' ')}, aim ${AIM}: ${middle >= AIM ? 'held' : 'MISSED'}; a backup takes ${(totals.with.ms / rounds / 1000).toFixed(1)} s\n`,
  )
} finally {
  await load.stop()
  await product.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
