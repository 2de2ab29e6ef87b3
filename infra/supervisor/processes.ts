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

/** Of V8, in MiB. Node's own would let a process that waits most of its time keep ten times that as
 *  garbage. */
export const PORTAL_YOUNG_MIB = 4

/** The vendor's server; it knows nothing of the others, and stops beside the front. */
const portal = {
  roles: ['portal'],
  niceness: 2,
  // They hash passwords and write files.
  threads: 4,
  stopLimitMs: 2000,
} as const satisfies ProcessFacts

const work = {
  roles: ['writer', 'scheduler', 'collector'],
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
  roles: [...front.roles, ...portal.roles, ...work.roles, ...store.roles],
  niceness: 0,
  threads: front.threads + portal.threads + work.threads + store.threads,
  stopLimitMs: 4500,
} as const satisfies ProcessFacts

export const PROCESSES = { front, portal, work, store, all }

export type ProcessKind = keyof typeof PROCESSES
export type Role = (typeof all.roles)[number]

/** What a supervisor starts, in the order of the stop. */
export const SUPERVISED = [
  'front',
  'portal',
  'work',
  'store',
] as const satisfies readonly ProcessKind[]

/** Those that stop together, in the order of the stop. Their limits, the longest of each group,
 *  stay below the five seconds of a whole stop. */
export const STOP_GROUPS = [
  ['front', 'portal'],
  ['work'],
  ['store'],
] as const satisfies readonly (readonly ProcessKind[])[]

/** Those of the process that a start with `wanted` has. */
export function rolesOf(kind: ProcessKind, wanted: readonly Role[]): Role[] {
  return PROCESSES[kind].roles.filter((role) => wanted.includes(role))
}
