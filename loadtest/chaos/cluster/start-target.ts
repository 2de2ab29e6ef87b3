// The product as a cluster, for a campaign: each role its own process, Kafka, PostgreSQL and the
// store, every connection with a link.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ClusterNode } from '../../../test/support/cluster/cluster-node.ts'
import {
  type Cluster,
  COPIED_ROLES,
  startCluster,
} from '../../../test/support/cluster/start-cluster.ts'
import { processesOn } from '../../../test/support/product/product.ts'
import type { Target } from '../campaign/target.ts'
import { makeClockFault, openClockFile } from '../embedded/surroundings-faults.ts'
import { linkFaults } from './link-faults.ts'
import { processFaults } from './process-faults.ts'
import { sleep } from './sleep.ts'

const OUTPUT_CHARACTERS = 1500
const METRICS_MS = 5000
const DEATH = /"message":"(?:uncaught error|unhandled rejection|work on a partition failed)"/
const CLOCK_HOOK = pathToFileURL(join(import.meta.dirname, '../hooks/clock-offset.mjs')).href

export type ClusterTargetOptions = { readonly brokers: number; readonly copies: number }

export async function startClusterTarget(options: ClusterTargetOptions): Promise<Target> {
  const directory = mkdtempSync(join(tmpdir(), 'logeye-chaos-cluster-'))
  const clocks = new Map<string, ReturnType<typeof openClockFile>>(
    // All copies of a role have one.
    COPIED_ROLES.map((role) => [role, openClockFile(join(directory, `${role}.clock`))]),
  )
  const environmentOf = (role: string): Readonly<Record<string, string>> => {
    const clock = clocks.get(role)
    if (clock === undefined) return {}
    return { LOGEYE_TEST_CLOCK_FILE: clock.path, NODE_OPTIONS: `--import ${CLOCK_HOOK}` }
  }
  const starting = startCluster({ ...options, directory, hasLinks: true, environmentOf })
  const cluster = await starting.catch((error: unknown) => {
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
    throw error
  })
  const { links, nodes } = cluster
  if (links === undefined) throw new Error('the cluster has no links')
  const sendersPort = links.of('senders', 'edge').port
  let isStopped = false
  let isWrong = false
  const destroy = async (keepData: boolean) => {
    if (!isStopped) await cluster.stop().catch(() => undefined)
    isStopped = true
    if (!keepData) rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
    else console.log(`kept: ${directory}`)
  }
  return {
    form: `cluster (brokers ${options.brokers}, copies ${options.copies})`,
    secrets: cluster.secrets,
    faults: [
      ...processFaults(cluster),
      ...linkFaults(links),
      ...[...clocks].map(([role, clock]) => ({
        ...makeClockFault(clock),
        ...{ name: `${role} clock jumps`, weight: 1 },
      })),
    ],
    senderUrl: () => `http://127.0.0.1:${sendersPort}`,
    searchUrl: () => cluster.url,
    readMetrics: () => readMetrics(cluster),
    untilReady: (limitMs) => {
      const late = sleep(limitMs).then(() => {
        throw new Error(`not every part is ready within ${limitMs} ms`)
      })
      late.catch(() => undefined)
      return Promise.race([Promise.all(nodes.map((node) => node.untilReady())), late]).then(
        () => undefined,
      )
    },
    output: () => {
      isWrong = true
      const ends = nodes.map(
        (node) => `== ${node.name}\n${node.output().slice(-OUTPUT_CHARACTERS)}`,
      )
      return [...ends, ...findDeaths(nodes)].join('\n')
    },
    stop: async () => {
      await cluster.stop()
      isStopped = true
      const living = nodes.flatMap(({ name }) =>
        processesOn(join(directory, name)).map((pid) => `${name} lives on as ${pid}`),
      )
      return [...living, ...findDeaths(nodes)]
    },
    // What every process said is needed where something was wrong.
    destroy: ({ keepData }) => destroy(keepData || isWrong),
  }
}

/** No fault excuses a process that ends by a mistake of its own, though another one takes its
 *  place. */
function findDeaths(nodes: readonly ClusterNode[]): string[] {
  return nodes.flatMap(({ name, output }) =>
    output()
      .split('\n')
      .filter((line) => DEATH.test(line))
      .map((line) => `${name}: ${line}`),
  )
}

async function readMetrics(cluster: Cluster): Promise<string> {
  const counting = [...cluster.of('listener'), ...cluster.of('writer')]
  const texts = counting.map(async ({ name, role, url }) => {
    const answer = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(METRICS_MS) })
    if (!answer.ok) throw new Error(`${name} gives no metrics: ${answer.status}`)
    const text = await answer.text()
    // A process that is late is simply not in what its start gives.
    const series =
      role === 'writer' ? 'logeye_writer_lag_blocks{' : 'logeye_listener_in_flight_bytes{'
    if (!text.includes(series)) throw new Error(`${name} gives no metrics of its own`)
    return text
  })
  return (await Promise.all(texts)).join('\n')
}
