// What the README promises a new user, tried once: start, send one event by curl's request, find it
// by search, stop, start again quickly.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeSearchClient } from '../test/support/clients/search-client.ts'
import { processesOn, startProduct } from '../test/support/product/product.ts'
import { waitForCount } from './support/measure.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'logeye-smoke-'))
const product = await startProduct({ dataDir })
const { url, secrets } = product
try {
  console.log(`ready after ${product.startMs.toFixed(0)} ms on Node ${process.version}`)
  const posted = await fetch(
    `${url}/logeye/api/logger.jsp?token=${secrets.token}&hostName=web-01`,
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"message":"disk full on /var","level":"ERROR"}',
    },
  )
  const answer = await posted.text()
  if (posted.status !== 200) throw new Error(`the event was answered ${posted.status}: ${answer}`)
  const search = makeSearchClient(url, secrets.password)
  const started = performance.now()
  if ((await waitForCount(search, 'disk full', 1, 10_000)) !== 1)
    throw new Error('the event was not found')
  console.log(`found ${(performance.now() - started).toFixed(0)} ms after the answer`)
  const found = await search.search('disk full', { fixedInterval: 'last15Minutes' })
  if (
    !found.rows.some(
      (row) => row.includes('disk full on /var') && row.includes('web-01') && row.includes('ERROR'),
    )
  ) {
    throw new Error(`unexpected rows: ${JSON.stringify(found.rows)}`)
  }
  console.log(`stopped in ${(await product.stop()).toFixed(0)} ms`)
  const orphans = processesOn(dataDir)
  if (orphans.length > 0) throw new Error(`orphans: ${orphans.join(', ')}`)
  const again = await startProduct({ dataDir, secrets })
  console.log(`ready again after ${again.startMs.toFixed(0)} ms`)
  const kept = await makeSearchClient(again.url, secrets.password).count('disk full')
  await again.stop()
  if (kept !== 1) throw new Error('the event was not found after a restart')
} catch (error) {
  console.error(product.output().slice(-4000))
  throw error
} finally {
  await product.killAll()
  rmSync(dataDir, { recursive: true, force: true })
}
