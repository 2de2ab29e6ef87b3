// Forwarding: by one process of all on the database, under the lease `forwarder`. Each policy that
// sends its events on has a loop of its own, so that one whose other side is away holds no other.
import { runAsHolder } from '../../infra/database/run-as-holder.ts'
import { describeError } from '../../infra/logger.ts'
import {
  forgetForwardPositions,
  forgetOtherForwardPositions,
} from '../../infra/metastore/forwarding/forward-positions.ts'
import { readForwardStarts } from '../../infra/metastore/forwarding/forward-starts.ts'
import { readAllPolicies } from '../../infra/metastore/policies/collection-policies.ts'
import { readHiddenEvents } from '../../infra/metastore/retention/hidden-events.ts'
import { hideDeleted } from '../../infra/store/hide-deleted.ts'
import type { Store } from '../../infra/store/port.ts'
import { type ForwardDeps, type ForwardedPolicy, forwardPolicy } from './forward-policy.ts'

const LEASE_NAME = 'forwarder'
const LOOK_EVERY_MS = 1000

type Loop = {
  readonly policy: ForwardedPolicy
  readonly stopping: AbortController
  readonly ended: Promise<void>
  hasEnded: boolean
}

export function startForwarding(
  given: Omit<ForwardDeps, 'held' | 'store'> & { readonly store: Store },
): { stop(): Promise<void> } {
  const { metastore, clock, logger } = given
  const { database } = metastore
  const store = hideDeleted(given.store, () => readHiddenEvents(database.read))
  const deps = { ...given, store }
  const stopping = new AbortController()
  const around = { database, clock, logger, name: LEASE_NAME, signal: stopping.signal }
  const ended = runAsHolder(around, async (held) => {
    const loops = new Map<number, Loop>()
    let isFirst = true
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
      const loop: Loop = {
        ...{ policy, stopping: own, hasEnded: false },
        ended: work().finally(() => {
          loop.hasEnded = true
        }),
      }
      loops.set(policy.id, loop)
    }
    while (!held.signal.aborted) {
      try {
        const wanted = await readWanted(deps)
        // Of those that ended their sending on while nobody looked.
        if (isFirst) await forgetOtherForwardPositions({ database, held }, [...wanted.keys()])
        isFirst = false
        for (const [id, loop] of loops) {
          const now = wanted.get(id)
          const isSince = now?.sinceMs === loop.policy.sinceMs
          if (isSince && now?.forwardTo === loop.policy.forwardTo) continue
          loop.stopping.abort()
          // What takes its time to end holds no other policy: the next look sees it.
          if (!loop.hasEnded) continue
          if (now === undefined || !isSince) await forgetForwardPositions({ database, held }, id)
          loops.delete(id)
        }
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
  return await metastore.database.snapshot(async (snapshot) => {
    const since = await readForwardStarts(snapshot)
    const policies = await readAllPolicies(snapshot)
    return new Map(
      policies
        .filter(({ isRemoved, policy }) => !isRemoved && policy.forwardTo !== '')
        .map(({ id, name, policy: { forwardTo } }) => [
          id,
          { id, name, forwardTo, sinceMs: since.get(id) },
        ]),
    )
  })
}
