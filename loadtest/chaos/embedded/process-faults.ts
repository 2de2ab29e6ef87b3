// Processes that are killed or stand still.
import type { Fault, Strike } from '../campaign/target.ts'
import type { RunningProduct } from './running-product.ts'

const ROLES = [
  { role: 'front', name: 'listener and query (front)' },
  { role: 'work', name: 'writer (work)' },
  { role: 'store', name: 'store' },
] as const
/** Generous: how soon is told by the longest stop, and a machine may be busy with others. */
const VICTIM_LIMIT_MS = 60_000
const RECOVERY_LIMIT_MS = 120_000
const POLL_MS = 10
const MAX_REST_MS = 1000

export function makeProcessFaults(product: RunningProduct): Fault[] {
  const kills = ROLES.map(({ role, name }) => ({
    ...{ name: `SIGKILL of ${name}`, weight: 3, endsCounts: role !== 'store', canBeLong: false },
    strike: (strike: Strike) => killRole(product, role, strike),
  }))
  const stands = ROLES.map(({ role, name }) => ({
    ...{ name: `SIGSTOP of ${name}`, weight: 3, endsCounts: false, canBeLong: true },
    strike: async ({ durationMs }: Strike) => stand([await findVictim(product, role)], durationMs),
  }))
  return [
    ...kills,
    {
      ...{ name: 'SIGKILL of supervisor', weight: 1, endsCounts: true, canBeLong: false },
      strike: async ({ random }) => {
        process.kill(product.supervisorPid(), 'SIGKILL')
        // Also at once, while its children still live.
        await sleep(random(2) * random(MAX_REST_MS))
        await product.startAgain()
      },
    },
    {
      ...{ name: 'SIGKILL of everything', weight: 1, endsCounts: true, canBeLong: false },
      strike: async () => {
        await product.killAll()
        await product.startAgain()
      },
    },
    ...stands,
    {
      ...{ name: 'SIGSTOP of supervisor', weight: 1, endsCounts: false, canBeLong: true },
      strike: ({ durationMs }) => stand([product.supervisorPid()], durationMs),
    },
    {
      ...{ name: 'SIGSTOP of everything', weight: 1, endsCounts: false, canBeLong: true },
      strike: ({ durationMs }) =>
        stand([product.supervisorPid(), ...product.processes().map((it) => it.pid)], durationMs),
    },
  ]
}

/** Two times of three its return is waited for; else the next fault meets it on its way. */
async function killRole(product: RunningProduct, role: string, { random }: Strike): Promise<void> {
  const victim = await findVictim(product, role)
  signal(victim, 'SIGKILL')
  if (random(3) === 0) return
  const deadline = performance.now() + RECOVERY_LIMIT_MS
  while (performance.now() < deadline) {
    const successor = product.find(role)
    // Readiness may still be that of before: the victim must have a successor first.
    if (successor !== undefined && successor.pid !== victim && (await product.isReady())) return
    await sleep(POLL_MS)
  }
  throw new Error(`${role} did not come back within ${RECOVERY_LIMIT_MS} ms`)
}

async function findVictim(product: RunningProduct, role: string): Promise<number> {
  for (const begin = performance.now(); ; await sleep(POLL_MS)) {
    const found = product.find(role)
    if (found !== undefined) return found.pid
    if (performance.now() - begin > VICTIM_LIMIT_MS) throw new Error(`there is no process ${role}`)
  }
}

async function stand(pids: readonly number[], durationMs: number): Promise<void> {
  for (const pid of pids) signal(pid, 'SIGSTOP')
  await sleep(durationMs)
  for (const pid of pids) signal(pid, 'SIGCONT')
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended by itself: another fault's work.
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
