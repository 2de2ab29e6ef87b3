// What the README promises a new user, tried once: start, send one event by curl's request, find it
// by search, send one with a new token, stop, start again. Prints the times that the specification
// promises and fails when one takes five times as long.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callSdk } from '../test/support/clients/sdk-client.ts'
import { makeSearchClient } from '../test/support/clients/search-client.ts'
import { processesOn, startProduct } from '../test/support/product/product.ts'
import { waitUntil } from '../test/support/run/wait-until.ts'

const FIRST_START_MS = 15_000
const LATER_START_MS = 5000
const NEW_TOKEN_MS = 1000
/** The machine that runs this may be slow or busy; a promise broken by more is a fault. */
const TOLERANCE = 5

const dataDir = mkdtempSync(join(tmpdir(), 'logeye-smoke-'))
const product = await startProduct({ dataDir })
const { url, secrets } = product
try {
  console.log(`Node ${process.version}`)
  report('first start', product.startMs, FIRST_START_MS)
  const answer = await post(secrets.token, { message: 'disk full on /var', level: 'ERROR' })
  if (answer.status !== 200) throw new Error(`the event was answered ${answer.status}`)
  const search = makeSearchClient(url, secrets.password)
  const answeredMs = performance.now()
  await waitUntil('the event is found', async () => (await search.count('disk full')) === 1)
  console.log(`found ${(performance.now() - answeredMs).toFixed(0)} ms after the answer`)
  const found = await search.search('disk full', { fixedInterval: 'last15Minutes' })
  const parts = ['disk full on /var', 'web-01', 'ERROR']
  if (!found.rows.some((row) => parts.every((part) => row.includes(part))))
    throw new Error(`unexpected rows: ${JSON.stringify(found.rows)}`)

  const added = await callSdk(url, secrets.password, 'addListener', { name: 'smoke' })
  const addedMs = performance.now()
  const hasNewToken = async () =>
    (await post(String(added.token), { message: 'by a new token' })).status === 200
  await waitUntil('the new token is accepted', hasNewToken)
  report('new token', performance.now() - addedMs, NEW_TOKEN_MS)

  console.log(`stopped in ${(await product.stop()).toFixed(0)} ms`)
  const orphans = processesOn(dataDir)
  if (orphans.length > 0) throw new Error(`orphans: ${orphans.join(', ')}`)
  const again = await startProduct({ dataDir, secrets })
  const stored = await makeSearchClient(again.url, secrets.password).count('disk full')
  await again.stop()
  report('later start', again.startMs, LATER_START_MS)
  if (stored !== 1) throw new Error('the event was not found after a restart')
} catch (error) {
  console.error(product.output().slice(-4000))
  throw error
} finally {
  await product.killAll()
  rmSync(dataDir, { recursive: true, force: true })
}

async function post(token: string, event: unknown): Promise<Response> {
  const answer = await fetch(`${url}/logeye/api/logger.jsp?token=${token}&hostName=web-01`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(event),
  })
  await answer.arrayBuffer()
  return answer
}

function report(what: string, ms: number, promisedMs: number): void {
  console.log(`${what}: ${ms.toFixed(0)} ms, promised ${promisedMs} ms`)
  if (ms > TOLERANCE * promisedMs)
    throw new Error(`${what} took more than ${TOLERANCE} times the promised ${promisedMs} ms`)
}
