// A 2 GB file system filled to the last byte under load: 500 with the reason, searches answer, and after room is made all resumes
// by itself with nothing lost. Needs root to mount a tmpfs. Exits 1 when wrong, 77 when it cannot run.
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CANNOT_RUN } from '../support/cannot-run.ts'
import { type Product, startProduct } from '../support/product.ts'
import { makeSearchClient } from '../support/search-client.ts'
import { startFaithfulSenders } from './faithful-sender.ts'
import { isRight, judge } from './verdict.ts'

const FULL_MS = 20_000
const mountPoint = mkdtempSync(join(tmpdir(), 'logeye-full-'))
const filler = join(mountPoint, 'filler')
try {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2g', 'tmpfs', mountPoint], { stdio: 'pipe' })
} catch {
  console.log('the full disk was not tried: mounting needs root')
  process.exit(CANNOT_RUN)
}
let isWrong = true
let product: Product | undefined
try {
  product = await startProduct({ dataDir: join(mountPoint, 'data') })
  const { url, secrets } = product
  const search = makeSearchClient(url, secrets.password)
  const senders = startFaithfulSenders({
    url: () => url,
    token: secrets.token,
    senders: 6,
    seed: 2,
    campaign: 'full',
  })
  await sleep(4000)
  const before = senders.acknowledged()
  fill()
  console.log(`filled: ${statfsSync(mountPoint).bavail} blocks free, ${before} events acknowledged`)
  await sleep(FULL_MS / 2)
  const reason = await fetch(`${url}/logeye/api/logger.jsp?token=${secrets.token}`, {
    method: 'POST',
    body: '{"message":"full?"}',
  })
  const answer = {
    status: reason.status,
    retryAfter: reason.headers.get('retry-after'),
    body: await reason.text(),
  }
  const searchAnswer = await search.search('numbered', { maxNumOfRecords: '5' })
  await sleep(FULL_MS / 2)
  const stalledAt = senders.acknowledged()
  rmSync(filler)
  const freed = performance.now()
  while (senders.acknowledged() <= stalledAt && performance.now() - freed < 60_000) await sleep(20)
  const resumedMs = performance.now() - freed
  await sleep(3000)
  await senders.finish(60_000)
  const verdict = await judge(search, senders.acknowledged())
  console.log(
    `while full: ${JSON.stringify(answer)}; search ${searchAnswer.state} with ${searchAnswer.rows.length - 1} rows; statuses ${JSON.stringify([...senders.statuses])}`,
  )
  console.log(`resumed ${resumedMs.toFixed(0)} ms after room was made`)
  console.log(
    `acknowledged ${verdict.acknowledged}, stored ${verdict.stored}, lost ${verdict.lost}, doubled ${verdict.doubled}, counters off by ${verdict.counterError}`,
  )
  isWrong =
    !isRight(verdict) ||
    answer.status !== 500 ||
    answer.retryAfter === null ||
    searchAnswer.state !== 'OK'
  if (isWrong) console.log(product.output().slice(-4000))
} finally {
  await product?.killAll()
  execFileSync('umount', ['-l', mountPoint])
  rmSync(mountPoint, { recursive: true, force: true })
}
process.exit(isWrong ? 1 : 0)

/** To the last byte. */
function fill(): void {
  const file = openSync(filler, 'w')
  for (let size = 1 << 20; size >= 1; ) {
    try {
      const written = writeSync(file, Buffer.alloc(size))
      if (written < size) size >>= 1
    } catch {
      size >>= 1
    }
  }
  closeSync(file)
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
