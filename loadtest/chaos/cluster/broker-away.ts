// The broker is away for 60 s under load: 500 with Retry-After, bounded memory, and everything goes
// on by itself. Usage: node --import tsx loadtest/chaos/cluster/broker-away.ts [--seconds 60]
// [--senders 50]. Exits 1 when it is not so.
import { parseArgs } from 'node:util'
import { makeSearchClient } from '../../../test/support/clients/search-client.ts'
import type { ClusterNode } from '../../../test/support/cluster/cluster-node.ts'
import { startCluster } from '../../../test/support/cluster/start-cluster.ts'
import { memoryBytes } from '../../../test/support/machine/process-usage.ts'
import { processesOn } from '../../../test/support/product/product.ts'
import { sleep } from './sleep.ts'
import { startWatchedLoad } from './watched-load.ts'

const MIB = 2 ** 20
const WARM_UP_MS = 10_000
const REST_MS = 5000
const SETTLE_MS = 60_000
const POLL_MS = 100
const MOST_GROWTH_MIB = 200

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    senders: { type: 'string', default: '50' },
  },
})
const cluster = await startCluster()
let isRight = false
try {
  const { url, secrets, kafka } = cluster
  const word = 'watched'
  const senders = Number(values.senders)
  const options = { url, ...secrets, word, senders, patienceMs: 30_000, pauseMs: 200 }
  const load = startWatchedLoad(options)
  await sleep(WARM_UP_MS)
  const before = load.take()
  const memory = memoryWatch(cluster.nodes.filter(({ role }) => role !== 'store'))
  const [broker] = kafka.brokers
  if (broker === undefined) throw new Error('there is no broker')
  broker.kill('SIGKILL')
  await broker.ended()
  await sleep(Number(values.seconds) * 1000)
  const away = load.take()
  const startedMs = performance.now()
  await broker.start()
  const brokerMs = performance.now() - startedMs
  const sentBefore = load.sent()
  while (load.sent() < sentBefore + senders && performance.now() - startedMs < SETTLE_MS)
    await sleep(POLL_MS)
  const recoveredMs = performance.now() - startedMs
  await sleep(REST_MS)
  const after = load.take()
  const { first, most } = memory.end()
  const grownMib = (most - first) / MIB
  await load.end()
  const search = makeSearchClient(url, secrets.password)
  const settleMs = performance.now()
  while (performance.now() - settleMs < SETTLE_MS && (await search.count(word)) < load.sent())
    await sleep(POLL_MS)
  const found = await search.count(word)
  const kinds = Number((await search.search(`${word} | distinct count key`)).rows[1]?.[0])
  const answers = (statuses: Readonly<Record<string, number>>) => JSON.stringify(statuses)
  console.log(`before: ${before.sent} events, answers ${answers(before.statuses)}`)
  console.log(
    `broker away for ${values.seconds} s: answers ${answers(away.statuses)}, 500 without Retry-After ${away.rude}, longest wait ${Math.round(away.longestWaitMs)} ms; reads ${away.reads}, failed twice ${away.readsFailed.length}`,
  )
  console.log(
    `broker started in ${Math.round(brokerMs)} ms, senders went on ${Math.round(recoveredMs - brokerMs)} ms later; answers ${answers(after.statuses)}`,
  )
  console.log(
    `memory of all roles but the store: ${(first / MIB).toFixed(0)} MiB before, ${(most / MIB).toFixed(0)} MiB at most`,
  )
  console.log(`acknowledged ${load.sent()}, found ${found}, different ${kinds}`)
  const strange = Object.keys(away.statuses).filter((it) => !['200', '500'].includes(it))
  isRight =
    (away.statuses['500'] ?? 0) > 0 &&
    strange.length === 0 &&
    away.rude === 0 &&
    away.readsFailed.length === 0 &&
    grownMib < MOST_GROWTH_MIB &&
    found === load.sent() &&
    kinds === load.sent()
  console.log(isRight ? 'as promised' : 'WRONG')
} finally {
  await cluster.stop()
}
process.exit(isRight ? 0 : 1)

/** Of the sum: at first, and at most until `end`. */
function memoryWatch(nodes: readonly ClusterNode[]): { end(): { first: number; most: number } } {
  const sum = () =>
    nodes
      .flatMap(({ directory }) => processesOn(directory))
      .reduce((all, pid) => all + memoryBytes(pid), 0)
  const first = sum()
  let most = first
  const timer = setInterval(() => {
    most = Math.max(most, sum())
  }, 1000)
  return {
    end: () => {
      clearInterval(timer)
      return { first, most }
    },
  }
}
