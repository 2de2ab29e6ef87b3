// 5,000 slow clients: half send a byte of their body now and then, half send request after request
// and read no answer; who is cut off comes again. Beside them 16 senders as they should be: all of
// theirs is taken, and the front's memory is bounded. Options: --clients N (5000), --seconds S
// (90). Exits 1 when not.
import { parseArgs } from 'node:util'
import { makeSearchClient } from '../test/support/clients/search-client.ts'
import { memoryBytes } from '../test/support/machine/process-usage.ts'
import type { Product } from '../test/support/product/product.ts'
import { printVerdicts } from './support/bench/verdicts.ts'
import { makePost, percentile, runLoad } from './support/http-load.ts'
import { waitForCount } from './support/measure.ts'
import { onFreshProduct } from './support/on-fresh-product.ts'
import { SlowClients, STEP_MS } from './support/slow-clients.ts'

const MIB = 2 ** 20
const MOST_GROWTH_MIB = 256
const LEAST_TAKEN = 0.99
const GOOD_CONNECTIONS = 16
const GOOD_RATE = 500
const QUIET_MS = 5000
const FIND_MS = 120_000

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '5000' },
    seconds: { type: 'string', default: '90' },
  },
})
const clients = Number(values.clients)
const limitMs = Number(values.seconds) * 1000

await onFreshProduct('slow', measure)

async function measure(product: Product): Promise<readonly string[]> {
  const { port, secrets, url } = product
  const path = (host: string) => `/logeye/api/logger.jsp?token=${secrets.token}&hostName=${host}`
  const front = await product.pidOf('front')
  const good = (time: number) =>
    runLoad({
      port,
      connections: GOOD_CONNECTIONS,
      request: (number) => makePost(path('good'), Buffer.from(`{"n":${number},"message":"good"}`)),
      limitMs: time,
      ratePerSecond: GOOD_RATE,
    })
  const alone = await good(QUIET_MS)
  const before = memoryBytes(front) / MIB
  let peak = before
  const slow = new SlowClients(port, path('slow'))
  const timer = setInterval(() => {
    slow.step()
    peak = Math.max(peak, memoryBytes(front) / MIB)
  }, STEP_MS)
  for (let count = 0; count < clients; count += 1) slow.add(count % 2 === 0 ? 'drip' : 'unread')
  const beside = await good(limitMs)
  const { open, opened } = slow
  clearInterval(timer)
  slow.close()
  const sent = [...beside.byStatus.values()].reduce((sum, count) => sum + count, 0)
  const taken = beside.acknowledged.length / (sent + beside.failedConnections)
  console.log(
    `${open} slow clients at the end, ${opened} connections in all; front ${before.toFixed(0)} MiB before, ${peak.toFixed(0)} MiB at most`,
  )
  console.log(
    `good senders: p99 ${percentile(alone.latenciesMs, 0.99).toFixed(0)} ms alone, ${percentile(beside.latenciesMs, 0.99).toFixed(0)} ms beside them; answers ${JSON.stringify([...beside.byStatus])}, ${beside.failedConnections} broken connections`,
  )
  const acknowledged = alone.acknowledged.length + beside.acknowledged.length
  const search = makeSearchClient(url, secrets.password)
  const found = await waitForCount(search, '* in server.good', acknowledged, FIND_MS)
  const wrong =
    found === acknowledged ? [] : [`${found} events found, ${acknowledged} acknowledged`]
  if (front === 0 || !product.processes().some(({ pid }) => pid === front))
    wrong.push('the front was started again')
  const isMet = printVerdicts([
    {
      name: `growth of the front by ${clients} slow clients`,
      value: peak - before,
      unit: 'MiB',
      asked: { most: MOST_GROWTH_MIB },
    },
    {
      name: 'requests of good senders that are taken',
      value: taken,
      unit: '',
      asked: { least: LEAST_TAKEN },
    },
  ])
  return isMet ? wrong : [...wrong, 'a figure is missed']
}
