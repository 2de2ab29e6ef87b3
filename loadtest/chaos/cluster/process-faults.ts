// What happens to processes: killed, or standing still for a while. Nodes come back by themselves,
// engines when they are started again.
import { PROCESSES, type Role } from '../../../infra/supervisor/processes.ts'
import type { ClusterNode } from '../../../test/support/cluster/cluster-node.ts'
import type { Cluster } from '../../../test/support/cluster/start-cluster.ts'
import type { Fault, Random } from '../campaign/target.ts'
import { sleep } from './sleep.ts'

/** Their metrics are the campaign's ledger. */
const COUNTS: readonly Role[] = ['listener', 'writer']
const OFTEN = 3
/** A server that was killed leaves children that end a little later; on a busy machine a broker
 *  needs a minute. */
const START_LIMIT_MS = 180_000
const AGAIN_MS = 200

export function processFaults(cluster: Cluster): Fault[] {
  return [
    // A cluster need not have each role.
    ...PROCESSES.all.roles
      .filter((role) => cluster.of(role).length > 0)
      .flatMap((role) => roleFaults(cluster, role)),
    ...engineFaults(cluster),
  ]
}

function roleFaults(cluster: Cluster, role: Role): Fault[] {
  const one = (random: Random) => pick(cluster.of(role), random)
  return [
    {
      name: `${role} killed`,
      weight: OFTEN,
      endsCounts: COUNTS.includes(role),
      canBeLong: false,
      strike: async ({ random }) => {
        one(random).signal('SIGKILL', random(2) === 0 ? 'all' : 'role')
      },
    },
    {
      name: `${role} stands still`,
      weight: OFTEN,
      // Who supervises a process that stands still ends it and starts another one.
      endsCounts: COUNTS.includes(role),
      canBeLong: true,
      strike: async ({ random, durationMs }) => {
        const node: ClusterNode = one(random)
        const among = random(2) === 0 ? 'all' : 'role'
        node.signal('SIGSTOP', among)
        await sleep(durationMs)
        node.signal('SIGCONT', among)
      },
    },
  ]
}

function engineFaults({ kafka, postgres }: Cluster): Fault[] {
  const fault = (name: string, strike: Fault['strike']): Fault => ({
    ...{ name, weight: OFTEN, endsCounts: false, canBeLong: true, strike },
  })
  return [
    fault('broker killed', async ({ random, durationMs }) => {
      const broker = pick(kafka.brokers, random)
      broker.kill('SIGKILL')
      await broker.ended()
      await sleep(durationMs)
      await startAgain(async () => {
        // One that did not come up in time is in the way of the next.
        broker.kill('SIGKILL')
        await broker.ended()
        await broker.start()
      })
    }),
    fault('broker stands still', async ({ random, durationMs }) => {
      const broker = pick(kafka.brokers, random)
      broker.kill('SIGSTOP')
      await sleep(durationMs)
      broker.kill('SIGCONT')
    }),
    fault('database killed', async ({ durationMs }) => {
      postgres.signalAll('SIGKILL')
      await postgres.ended()
      await sleep(durationMs)
      await startAgain(() => postgres.start())
    }),
    fault('database stands still', async ({ durationMs }) => {
      postgres.signalAll('SIGSTOP')
      await sleep(durationMs)
      postgres.signalAll('SIGCONT')
    }),
  ]
}

async function startAgain(start: () => Promise<void>): Promise<void> {
  for (const beganMs = performance.now(); ; ) {
    try {
      return await start()
    } catch (error) {
      if (performance.now() - beganMs > START_LIMIT_MS) throw error
      await sleep(AGAIN_MS)
    }
  }
}

export function pick<T>(among: readonly T[], random: Random): T {
  const found = among[random(among.length)]
  if (found === undefined) throw new Error('there is nothing to choose from')
  return found
}
