// A disk filled to the last byte under load: 500 with the reason, searches answer, and after room
// is made all resumes by itself with nothing lost. Needs root to mount a disk of its own. Exits 1
// when wrong, 77 when it cannot run.

import { makeSearchClient } from '../../test/support/clients/search-client.ts'
import { waitForCount } from '../support/measure.ts'
import { checkCounters, readBack } from './campaign/read-back.ts'
import { startSenders } from './campaign/senders.ts'
import { CANNOT_RUN } from './cannot-run.ts'
import { openPlace } from './embedded/place.ts'
import { type RunningProduct, runProduct } from './embedded/running-product.ts'

const SEED = 2
const SENDERS = 6
const BEFORE_MS = 4000
const FULL_MS = 20_000
const AFTER_MS = 3000
const LIMIT_MS = 60_000

const place = openPlace({ isImageWanted: true })
let isWrong = true
let product: RunningProduct | undefined
if (!place.canLosePower) {
  place.remove({ keepData: false })
  console.log('the disk full to the last byte was not tried: mounting needs root')
  process.exit(CANNOT_RUN)
}
try {
  product = await runProduct({ dataDir: place.dataDir, environment: place.environment })
  const { url, secrets } = product
  const search = makeSearchClient(url, secrets.password)
  let acknowledgedMs = 0
  const senders = startSenders({
    ...{ target: { senderUrl: () => url, secrets }, senders: SENDERS, seed: SEED },
    onAcknowledged: () => {
      acknowledgedMs = performance.now()
    },
  })
  senders.release(0)
  await sleep(BEFORE_MS)
  place.fill()
  console.log(`filled behind ${senders.acknowledged()} acknowledged events`)
  await sleep(FULL_MS / 2)
  const refused = await fetch(`${url}/logeye/api/logger.jsp?token=${secrets.token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"message":"full?"}',
  })
  const { status, headers } = refused
  const answer = { status, retryAfter: headers.get('retry-after'), body: await refused.text() }
  const found = await search.search('numbered', { maxNumOfRecords: '5' })
  await sleep(FULL_MS / 2)
  place.free()
  const freedMs = performance.now()
  while (acknowledgedMs < freedMs && performance.now() - freedMs < LIMIT_MS) await sleep(20)
  const resumedMs = acknowledgedMs - freedMs
  await sleep(AFTER_MS)
  await senders.hold(LIMIT_MS)
  const sent = senders.sent()
  await waitForCount(search, '* in server.chaos*', senders.acknowledged(), LIMIT_MS)
  const findings = await checkCounters(search)
  for (const each of sent)
    findings.push(...(await readBack({ url, password: secrets.password, search }, each)))
  await senders.end()
  const times = (kind: string) => findings.filter((it) => it.kind === kind).length
  console.log(
    `while full: ${JSON.stringify(answer)}; search ${found.state}, ${found.rows.length} lines`,
  )
  console.log(`resumed ${resumedMs.toFixed(0)} ms after room was made`)
  console.log(
    `acknowledged ${senders.acknowledged()}, lost ${times('lost')}, doubled ${times('doubled')}, wrong in all ${findings.length}`,
  )
  const isRefused = answer.status === 500 && answer.retryAfter !== null
  isWrong = findings.length > 0 || !isRefused || found.state !== 'OK' || resumedMs < 0
  if (isWrong) console.log(product.output())
} finally {
  await product?.killAll()
  place.remove({ keepData: false })
}
process.exit(isWrong ? 1 : 0)

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
