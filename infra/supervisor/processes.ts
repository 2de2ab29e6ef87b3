// The one table of processes: which roles each runs, and how. In the order of a stop: what takes
// requests first, what the others need last. Plain values without imports: the command line reads
// them before any package is loaded.

type ProcessFacts = {
  /** A process runs those that its start was given (LOGEYE_ROLES). */
  readonly roles: readonly string[]
  /** 0 is normal; higher gives way to others. */
  readonly niceness: number
  /** Threads of libuv (UV_THREADPOOL_SIZE, read once when a process starts). */
  readonly threads: number
  /** From the order to stop until the process is killed. */
  readonly stopLimitMs: number
}

const front = {
  roles: ['listener', 'query'],
  niceness: 0,
  // They unpack bodies, hash passwords and flush the event log.
  threads: 8,
  stopLimitMs: 2000,
} as const satisfies ProcessFacts

const work = {
  roles: ['writer', 'scheduler'],
  niceness: 3,
  threads: 6,
  stopLimitMs: 1500,
} as const satisfies ProcessFacts

const store = {
  roles: ['store'],
  niceness: 6,
  // The engine keeps one busy for each of its sessions.
  threads: 32,
  stopLimitMs: 1200,
} as const satisfies ProcessFacts

/** One process for everything, for a debugger; no supervisor starts it. */
const all = {
  roles: [...front.roles, ...work.roles, ...store.roles],
  niceness: 0,
  threads: front.threads + work.threads + store.threads,
  stopLimitMs: 4500,
} as const satisfies ProcessFacts

export const PROCESSES = { front, work, store, all }

export type ProcessKind = keyof typeof PROCESSES
export type Role = (typeof all.roles)[number]

/** What a supervisor starts, in the order of the stop. Their limits together stay below the five
 *  seconds of a whole stop. */
export const SUPERVISED = ['front', 'work', 'store'] as const satisfies readonly ProcessKind[]

/** Those of the process that a start with `wanted` has. */
export function rolesOf(kind: ProcessKind, wanted: readonly Role[]): Role[] {
  return PROCESSES[kind].roles.filter((role) => wanted.includes(role))
}
