// What a backup costs ingest: events a second without and with one, in turn, in one run.
//   node infra/scripts/build.mjs && npx tsx loadtest/operation/backup-beside-ingest.ts [rounds]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { callSdk } from '../../test/support/clients/call-sdk.ts'
import { startProduct } from '../../test/support/product/product.ts'
import { startSteadyLoad } from '../../test/support/product/steady-load.ts'

const WARM_MS = 15_000
const QUIET_MS = 3000
const rounds = Number(process.argv[2] ?? 5)
const dataDir = mkdtempSync(join(tmpdir(), 'logeye-load-backup-'))
const product = await startProduct({ dataDir })
const admin = { url: product.url, password: product.secrets.password }
const load = startSteadyLoad({ url: product.url, token: product.secrets.token })
const totals = { without: { events: 0, ms: 0 }, with: { events: 0, ms: 0 } }

async function measure(kind: keyof typeof totals, work: () => Promise<unknown>): Promise<void> {
  const [events, beganMs] = [load.acknowledged().size, performance.now()]
  await work()
  totals[kind].ms += performance.now() - beganMs
  totals[kind].events += load.acknowledged().size - events
}

async function backUp(name: string): Promise<void> {
  const reply = await callSdk(admin, 'backup', { name })
  if (!reply.success) throw new Error(reply.errorMessage ?? 'refused')
  for (;;) {
    const { response } = await callSdk(admin, 'backup', { list: 'true' })
    if (JSON.stringify(response).includes(`"name":"${name}","state":"done"`)) return
    await sleep(200)
  }
}

try {
  await sleep(WARM_MS)
  for (let round = 1; round <= rounds; round += 1) {
    await measure('without', () => sleep(QUIET_MS))
    await measure('with', () => backUp(`round-${round}`))
  }
  const rate = ({ events, ms }: { events: number; ms: number }) => (events / ms) * 1000
  const [without, beside] = [rate(totals.without), rate(totals.with)]
  process.stdout.write(
    `${JSON.stringify({
      without: Math.round(without),
      with: Math.round(beside),
      ratio: Number((beside / without).toFixed(2)),
      secondsOfABackup: Number((totals.with.ms / rounds / 1000).toFixed(1)),
    })}\n`,
  )
} finally {
  await load.stop()
  await product.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
