// Programs for which a whole process stands still: no limit of a test holds meanwhile, and Node
// itself may stand still at its exit (nodejs/node#54918). So each has a limit of its own.
import {
  execFileSync as execFileSyncOfNode,
  spawnSync as spawnSyncOfNode,
} from 'node:child_process'

const IN_TIME = { timeout: 120_000, killSignal: 'SIGKILL' } as const

type Run = (command: string, args: readonly string[], options?: object) => unknown

/** As Node's, ended by SIGKILL after 120 s unless the options say otherwise; throws when it was. */
export const execFileSync = ((command, args, options) =>
  execFileSyncOfNode(command, args, { ...IN_TIME, ...options })) as Run as typeof execFileSyncOfNode

/** As Node's, ended by SIGKILL after 120 s unless the options say otherwise; `error` says it. */
export const spawnSync = ((command, args, options) =>
  spawnSyncOfNode(command, args, { ...IN_TIME, ...options })) as Run as typeof spawnSyncOfNode
