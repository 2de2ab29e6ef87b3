// All processes anew, on word of an operator. Those that take no requests come first, so that the
// others are away for as long as one of them needs to end and to start.
import type { Clock } from '../clock.ts'
import { describeError, type Logger } from '../logger.ts'
import type { Child, ChildPlan } from './child.ts'

/** For the answer to whoever asked. */
const ANSWER_MS = 500
const LOOK_MS = 50
const READY_LIMIT_MS = 15_000

type Options = {
  /** In the order of the stop; the first takes the requests. */
  readonly groups: readonly (readonly Child[])[]
  readonly planAnew?: () => Promise<readonly (readonly ChildPlan[])[]>
  readonly clock: Clock
  readonly logger: Logger
}

/** While one goes on a further word is no other one. */
export function makeRestart(options: Options): () => void {
  const { logger } = options
  let isRunning = false
  return () => {
    if (isRunning) return
    isRunning = true
    void restart(options)
      .catch((error: unknown) => logger.error('restart failed', describeError(error)))
      .finally(() => {
        isRunning = false
      })
  }
}

async function restart(options: Options): Promise<void> {
  const { groups, planAnew, clock, logger } = options
  await clock.sleep(ANSWER_MS)
  logger.info('restart begins')
  const [doors = [], ...others] = groups
  const plans =
    (await planAnew?.().catch((error: unknown) => {
      logger.error('settings not read for the restart', describeError(error))
      return undefined
    })) ?? []
  const planOf = new Map(plans.flat().map((plan) => [plan.name, plan]))
  for (const group of others) await Promise.all(group.map((child) => child.halt()))
  for (const group of others.toReversed())
    for (const child of group) child.startAnew(planOf.get(child.name))
  await untilReady(options, others.flat())
  // Where there are several of them, the others go on taking requests.
  for (const child of doors) {
    await child.halt()
    child.startAnew(planOf.get(child.name))
    await untilReady(options, [child])
  }
  logger.info('restart done')
}

/** What is not ready in time is told by health. */
async function untilReady({ clock }: Options, children: readonly Child[]): Promise<void> {
  for (const beganMs = clock.elapsedMs(); clock.elapsedMs() - beganMs < READY_LIMIT_MS; ) {
    const reports = await Promise.all(children.map((child) => child.report(false)))
    if (reports.every((it) => it !== undefined && Object.values(it.ready).every(Boolean))) return
    await clock.sleep(LOOK_MS)
  }
}
