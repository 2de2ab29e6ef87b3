// Forwarding: by one process of all on the database, under the lease `forwarder`. Each policy that
// sends its events on has a loop of its own, so that one whose other side is away holds no other.
import { runAsHolder } from '../../infra/database/run-as-holder.ts'
import { describeError } from '../../infra/logger.ts'
import { forgetForwardPositions } from '../../infra/metastore/forwarding/forward-positions.ts'
import { readAllPolicies } from '../../infra/metastore/policies/collection-policies.ts'
import { type ForwardDeps, type ForwardedPolicy, forwardPolicy } from './forward-policy.ts'

const LEASE_NAME = 'forwarder'
const LOOK_EVERY_MS = 1000

type Loop = {
  readonly forwardTo: string
  readonly stopping: AbortController
  readonly ended: Promise<void>
}

export function startForwarding(deps: Omit<ForwardDeps, 'held'>): { stop(): Promise<void> } {
  const { metastore, clock, logger } = deps
  const { database } = metastore
  const stopping = new AbortController()
  const around = { database, clock, logger, name: LEASE_NAME, signal: stopping.signal }
  const ended = runAsHolder(around, async (held) => {
    const loops = new Map<number, Loop>()
    // At first, those of whom nobody sent on since.
    let isFewer = true
    const begin = (policy: ForwardedPolicy) => {
      const own = new AbortController()
      const signal = AbortSignal.any([own.signal, held.signal])
      const work = async () => {
        while (!signal.aborted) {
          try {
            await forwardPolicy(policy, { ...deps, held }, signal)
          } catch (error) {
            if (signal.aborted) return
            logger.warn('forwarding begins anew', describeError(error))
            await clock.sleep(LOOK_EVERY_MS, signal)
          }
        }
      }
      loops.set(policy.id, { forwardTo: policy.forwardTo, stopping: own, ended: work() })
    }
    while (!held.signal.aborted) {
      try {
        const wanted = await readWanted(deps)
        for (const [id, loop] of loops) {
          if (wanted.get(id)?.forwardTo === loop.forwardTo) continue
          loop.stopping.abort()
          await loop.ended
          loops.delete(id)
          isFewer = true
        }
        if (isFewer) await forgetForwardPositions({ database, held }, [...wanted.keys()])
        isFewer = false
        for (const policy of wanted.values()) if (!loops.has(policy.id)) begin(policy)
      } catch (error) {
        if (!held.signal.aborted) logger.warn('policies cannot be looked at', describeError(error))
      }
      await clock.sleep(LOOK_EVERY_MS, held.signal)
    }
    for (const loop of loops.values()) await loop.ended
  })
  return {
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}

async function readWanted({
  metastore,
}: Pick<ForwardDeps, 'metastore'>): Promise<ReadonlyMap<number, ForwardedPolicy>> {
  const policies = await readAllPolicies(metastore.database.read)
  return new Map(
    policies.flatMap(({ id, name, isRemoved, policy: { forwardTo } }) =>
      isRemoved || forwardTo === '' ? [] : [[id, { id, name, forwardTo }] as const],
    ),
  )
}
