// The store stands still (SIGSTOP) under load: the listener goes on answering 200, and all arrives afterwards.
// Options: --seconds S (default 60). Exits 1 when wrong.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startProduct } from '../support/product.ts'
import { makeSearchClient } from '../support/search-client.ts'
import { startFaithfulSenders } from './faithful-sender.ts'
import { isRight, judge } from './verdict.ts'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } })
const dataDir = mkdtempSync(join(tmpdir(), 'logeye-pause-'))
const product = await startProduct({ dataDir })
let isWrong = true
try {
  const senders = startFaithfulSenders({
    url: () => product.url,
    token: product.secrets.token,
    senders: 6,
    seed: 1,
    campaign: 'pause',
  })
  await sleep(2000)
  const store = product.processes().find((process) => process.role === 'store')
  if (!store) throw new Error('no store process')
  process.kill(store.pid, 'SIGSTOP')
  const before = senders.acknowledged()
  await sleep(Number(values.seconds) * 1000)
  const during = senders.acknowledged() - before
  const refused = [...senders.statuses].filter(([status]) => status !== 200)
  process.kill(store.pid, 'SIGCONT')
  await sleep(2000)
  await senders.finish(60_000)
  const verdict = await judge(
    makeSearchClient(product.url, product.secrets.password),
    senders.acknowledged(),
  )
  console.log(
    `store paused for ${values.seconds} s: ${during} events acknowledged meanwhile, other answers ${JSON.stringify(refused)}, longest stop ${(senders.longestStopMs() / 1000).toFixed(2)} s`,
  )
  console.log(
    `acknowledged ${verdict.acknowledged}, stored ${verdict.stored}, lost ${verdict.lost}, doubled ${verdict.doubled}, counters off by ${verdict.counterError}`,
  )
  isWrong = !isRight(verdict) || during === 0 || refused.length > 0
} finally {
  await product.killAll()
  rmSync(dataDir, { recursive: true, force: true })
}
process.exit(isWrong ? 1 : 0)

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
