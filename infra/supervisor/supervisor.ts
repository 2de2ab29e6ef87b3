// Starts the role processes, keeps them running, gathers their reports, stops them in order. Knows
// nothing of what they do.
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import { Child, type ChildPlan } from './child.ts'
import { describeEnding, type Ending } from './early-failures.ts'
import { EXIT_REFUSED, type Report } from './messages.ts'
import { makeRestart } from './restart.ts'

const POLL_MS = 100

export interface Supervisor {
  /** True when every process reports every part ready; false at the limit. */
  untilReady(limitMs: number): Promise<boolean>
  reports(withMetrics: boolean): Promise<Report[]>
  /** Resolves with why nothing can run, in one line: before `untilReady` came true a process
   *  refused to, or failed in the same way again and again. */
  readonly refused: Promise<string>
  /** In the order of the groups, each process within its limit. */
  stop(): Promise<void>
  /** At once. */
  kill(): void
}

/**
 * `groups` in the order of their stop, e.g. [front], [work], [store]; started the other way round,
 * without waiting: a process must do with another that is not there yet, since it may also end
 * later.
 */
export function startSupervisor(options: {
  readonly groups: readonly (readonly ChildPlan[])[]
  /** The same groups for a restart, with what has changed since; default: nothing. */
  readonly planAnew?: () => Promise<readonly (readonly ChildPlan[])[]>
  /** True: another program takes over instead of a restart. */
  readonly takesOver?: () => boolean
  readonly clock: Clock
  readonly logger: Logger
}): Supervisor {
  const { clock, logger } = options
  let hasBeenReady = false
  let onRefused: (reason: string) => void = () => undefined
  const refused = new Promise<string>((resolve) => {
    onRefused = resolve
  })
  const around = {
    clock,
    logger,
    onAsk: (withMetrics: boolean) => reports(withMetrics),
    onRestart: () => {
      if (options.takesOver?.() !== true) restart()
    },
    onExit: (name: string, ending: Ending, isHopeless: boolean) => {
      const isRefusal = ending.status === EXIT_REFUSED && !hasBeenReady
      if (!isRefusal && !isHopeless) return true
      const said = isRefusal ? ending.failing?.reason : undefined
      onRefused(said ?? describeEnding(name, ending))
      return false
    },
  }
  const groups = options.groups.map((plans) => plans.map((plan) => new Child(plan, around)))
  const children = groups.flat()

  const gather = async (withMetrics: boolean): Promise<Report[]> => {
    const answers = await Promise.all(children.map((child) => child.report(withMetrics)))
    return answers.map(
      (report, at) =>
        report ?? { process: children[at]?.name ?? '', ready: { answers: false }, metrics: '' },
    )
  }
  // Askers at one moment share the round.
  const rounds = new Map<boolean, Promise<Report[]>>()
  const reports = (withMetrics: boolean): Promise<Report[]> => {
    const running =
      rounds.get(withMetrics) ?? gather(withMetrics).finally(() => rounds.delete(withMetrics))
    rounds.set(withMetrics, running)
    return running
  }
  const untilReady = async (limitMs: number): Promise<boolean> => {
    for (const begin = clock.elapsedMs(); clock.elapsedMs() - begin < limitMs; ) {
      const all = await reports(false)
      hasBeenReady = all.every((it) => Object.values(it.ready).every(Boolean))
      if (hasBeenReady) {
        for (const child of children) child.markReady()
        return true
      }
      await clock.sleep(POLL_MS)
    }
    return false
  }

  const restart = makeRestart({ ...options, groups })

  for (const group of groups.toReversed()) for (const child of group) child.start()

  return {
    untilReady,
    reports,
    refused,
    stop: async () => {
      for (const group of groups) await Promise.all(group.map((child) => child.stop()))
    },
    kill: () => {
      for (const child of children) child.kill()
    },
  }
}
