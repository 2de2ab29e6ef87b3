// kill -9 of each process and of all together at random moments under load; nothing acknowledged may be lost or doubled.
// Options: --rounds N (default 100), --seed S, --senders K. Prints acknowledged, stored, lost, doubled, longest stop; exits 1 when wrong.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { mulberry32 } from '../support/events.ts'
import {
  findFreePort,
  isReady,
  type Product,
  processesOn,
  startProduct,
} from '../support/product.ts'
import { makeSearchClient } from '../support/search-client.ts'
import { startFaithfulSenders } from './faithful-sender.ts'
import { isRight, judge } from './verdict.ts'

const TARGETS = ['front', 'work', 'store', 'all'] as const
const RECOVERY_LIMIT_MS = 30_000

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    senders: { type: 'string', default: '6' },
  },
})
const rounds = Number(values.rounds)
const seed = Number(values.seed)
const random = mulberry32(seed)
const dataDir = mkdtempSync(join(tmpdir(), 'logeye-chaos-'))
const port = await findFreePort()
let product: Product = await startProduct({ dataDir, port })
const { secrets } = product
const senders = startFaithfulSenders({
  url: () => product.url,
  token: secrets.token,
  senders: Number(values.senders),
  seed,
  campaign: `kill-${seed}`,
})
const recoveries = new Map<string, number[]>()
let isWrong = false
try {
  for (let round = 0; round < rounds; round += 1) {
    await sleep(100 + random(2000))
    const target = TARGETS[random(TARGETS.length)] ?? 'all'
    const ms = await killOne(target)
    recoveries.set(target, [...(recoveries.get(target) ?? []), ms])
    process.stdout.write(
      `round ${round + 1} ${target} back after ${ms.toFixed(0)} ms, acknowledged ${senders.acknowledged()}\n`,
    )
  }
  await senders.finish(60_000)
  const verdict = await judge(
    makeSearchClient(product.url, secrets.password),
    senders.acknowledged(),
  )
  for (const [target, times] of recoveries) {
    console.log(
      `recovery of ${target}: ${times.length} times, median ${median(times).toFixed(0)} ms, longest ${Math.max(...times).toFixed(0)} ms`,
    )
  }
  console.log(
    `repeated requests ${senders.repeated()}, answers ${JSON.stringify([...senders.statuses])}, seed ${seed}`,
  )
  console.log(
    `acknowledged ${verdict.acknowledged}, stored ${verdict.stored}, lost ${verdict.lost}, doubled ${verdict.doubled}, counters off by ${verdict.counterError}, longest stop ${(senders.longestStopMs() / 1000).toFixed(1)} s`,
  )
  isWrong = !isRight(verdict)
  await product.stop()
  const orphans = processesOn(dataDir)
  if (orphans.length > 0) {
    console.log(`orphans: ${orphans.join(', ')}`)
    isWrong = true
  }
} catch (error) {
  console.error(error)
  console.error(product.output().slice(-4000))
  isWrong = true
} finally {
  await product.killAll()
  if (!isWrong) rmSync(dataDir, { recursive: true, force: true })
  else console.log(`kept: ${dataDir}`)
}
process.exit(isWrong ? 1 : 0)

/** Milliseconds until the product is ready again (all: until a new start is ready). */
async function killOne(target: (typeof TARGETS)[number]): Promise<number> {
  const started = performance.now()
  if (target === 'all') {
    await product.killAll()
    if (processesOn(dataDir).length > 0) throw new Error('an orphan lives on')
    product = await startProduct({ dataDir, port, secrets })
    return performance.now() - started
  }
  const victim = product.processes().find((process) => process.role === target)
  if (victim) process.kill(victim.pid, 'SIGKILL')
  const deadline = performance.now() + RECOVERY_LIMIT_MS
  // Readiness may still be yesterday's: the victim must have a successor first.
  while (performance.now() < deadline) {
    const successor = product.processes().find((process) => process.role === target)
    if (successor && successor.pid !== victim?.pid && (await isReady(product.url)))
      return performance.now() - started
    await sleep(10)
  }
  throw new Error(`${target} did not come back`)
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
