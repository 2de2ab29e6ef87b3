// Two of each role; each one in turn is killed, stands still, or is cut off from everything, under
// load: how long until the others have taken over, and what senders and readers behind the edge
// saw. Exits 1 when one retry did not cure it, when a fail-over took more than 10 s, or when
// anything was lost or doubled. Usage: node --import tsx loadtest/chaos/cluster/fail-over.ts
import { parseArgs } from 'node:util'
import { makeSearchClient } from '../../../test/support/clients/search-client.ts'
import type { ClusterLinks } from '../../../test/support/cluster/cluster-links.ts'
import type { ClusterNode } from '../../../test/support/cluster/cluster-node.ts'
import {
  type Cluster,
  COPIED_ROLES,
  startCluster,
} from '../../../test/support/cluster/start-cluster.ts'
import { sleep } from './sleep.ts'
import { startWatchedLoad, type Watched } from './watched-load.ts'

const FAIL_OVER_MS = 10_000
/** A consumer's session is 6 s, a lease 10 s at most: who is away for longer has lost both. */
const AWAY_MS = 12_000
const REST_MS = 4000
const POLL_MS = 50
const SETTLE_MS = 60_000

type Manner = { readonly name: string; strike(node: ClusterNode): Promise<void> }

const { values } = parseArgs({
  options: { brokers: { type: 'string', default: '1' }, only: { type: 'string' } },
})
const began = performance.now()
const cluster = await startCluster({
  brokers: Number(values.brokers),
  copies: 2,
  hasLinks: true,
})
let isWrong = false
try {
  isWrong = !(await run(cluster))
} finally {
  await cluster.stop()
}
process.exit(isWrong ? 1 : 0)

async function run({ url, secrets, links, of }: Cluster): Promise<boolean> {
  if (links === undefined) throw new Error('the cluster has no links')
  console.log(`two of each role, ready after ${((performance.now() - began) / 1000).toFixed(1)} s`)
  const word = 'watched'
  const options = { url, ...secrets, word, senders: 6, patienceMs: 15_000, pauseMs: 200 }
  const load = startWatchedLoad(options)
  await sleep(REST_MS)
  console.log(
    '| what | sent | longest wait of a sender (ms) | needed more than one retry | reads | reads that failed twice | nothing new found for (ms) | another leader after (ms) |\n|---|---|---|---|---|---|---|---|',
  )
  print('nothing', load.take())
  let isRight = true
  for (const role of COPIED_ROLES) {
    for (const { name, strike } of manners(links)) {
      if (values.only !== undefined && !`${role} ${name}`.includes(values.only)) continue
      // Who leads is struck: the other one has nothing to take over.
      const node = role === 'scheduler' ? await findLeader(of(role)) : of(role)[0]
      const other = of(role).find((it) => it !== node)
      if (node === undefined || other === undefined) throw new Error(`there are no two of ${role}`)
      load.take()
      const leading = role === 'scheduler' ? leaderAfter(other, node, name) : undefined
      await strike(node)
      const leaderMs = await leading
      await node.untilReady()
      await sleep(REST_MS)
      const seen = load.take()
      print(`${role} ${name}`, seen, leaderMs)
      const retried = moreThanOneRetry(seen)
      if (retried + seen.readsFailed.length + seen.rude > 0) isRight = false
      const longestMs = Math.max(seen.longestWaitMs, seen.longestStillMs, leaderMs ?? 0)
      if (longestMs > FAIL_OVER_MS) isRight = false
    }
  }
  await load.end()
  const search = makeSearchClient(url, secrets.password)
  for (const beganMs = performance.now(); performance.now() - beganMs < SETTLE_MS; ) {
    if ((await search.count(word)) >= load.sent()) break
    await sleep(POLL_MS)
  }
  const found = await search.count(word)
  const kinds = Number((await search.search(`${word} | distinct count key`)).rows[1]?.[0])
  console.log(`acknowledged ${load.sent()}, found ${found}, different ${kinds}`)
  if (found !== load.sent() || kinds !== load.sent()) isRight = false
  console.log(isRight ? 'as promised' : 'WRONG')
  return isRight
}

function manners(links: ClusterLinks): Manner[] {
  return [
    {
      name: 'killed',
      strike: async (node) => {
        node.signal('SIGKILL')
        await sleep(POLL_MS)
      },
    },
    {
      name: 'stands still',
      strike: async (node) => {
        node.signal('SIGSTOP')
        await sleep(AWAY_MS)
        node.signal('SIGCONT')
      },
    },
    {
      name: 'cut off',
      strike: async ({ name }) => {
        const cut = links.all.filter((it) => it.from === name || it.to === name)
        for (const link of cut) await link.shut()
        await sleep(AWAY_MS)
        for (const link of cut) await link.heal()
      },
    },
    {
      name: 'cut off from the brokers',
      strike: async ({ name }) => {
        const cut = links.all.filter((it) => it.from === name && it.to.startsWith('kafka'))
        for (const link of cut) await link.shut()
        if (cut.length > 0) await sleep(AWAY_MS)
        for (const link of cut) await link.heal()
      },
    },
  ]
}

function moreThanOneRetry({ tries }: Watched): number {
  return Object.entries(tries).reduce((sum, [n, times]) => sum + (Number(n) > 2 ? times : 0), 0)
}

function print(what: string, seen: Watched, leaderMs?: number): void {
  const cells = [
    what,
    seen.sent,
    Math.round(seen.longestWaitMs),
    moreThanOneRetry(seen),
    `${seen.reads} (${seen.readsRepeated} repeated)`,
    seen.readsFailed.length,
    Math.round(seen.longestStillMs),
    leaderMs === undefined ? '' : Math.round(leaderMs),
  ]
  console.log(`| ${cells.join(' | ')} |`)
  for (const text of seen.readsFailed) console.log(`  ${text}`)
}

async function isLeader({ url }: ClusterNode): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(1000) })
    return /^logeye_scheduler_leader\{[^}]*\} 1$/m.test(await answer.text())
  } catch {
    return false
  }
}

async function findLeader(nodes: readonly ClusterNode[]): Promise<ClusterNode> {
  for (const beganMs = performance.now(); performance.now() - beganMs < SETTLE_MS; ) {
    for (const node of nodes) if (await isLeader(node)) return node
    await sleep(POLL_MS)
  }
  throw new Error('nobody leads')
}

/** Until one leads again: after a kill it may be the same one. */
async function leaderAfter(
  other: ClusterNode,
  struck: ClusterNode,
  manner: string,
): Promise<number | undefined> {
  if (manner.includes('brokers')) return undefined
  const beganMs = performance.now()
  await sleep(POLL_MS)
  while (performance.now() - beganMs < SETTLE_MS) {
    if (await isLeader(other)) return performance.now() - beganMs
    if (manner === 'killed' && (await isLeader(struck))) return performance.now() - beganMs
    await sleep(POLL_MS)
  }
  return Number.POSITIVE_INFINITY
}
