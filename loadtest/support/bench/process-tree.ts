// Everything that a start has started, by what it does, from the process table.
import { readdirSync, readFileSync } from 'node:fs'
import { cpuSeconds } from '../../../test/support/machine/process-usage.ts'

export type Work = { readonly pid: number; readonly role: string }

/** The living processes below `root`, itself included. */
export function listTree(root: number): Work[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    const parent = /^\d+ \(.*\) \S (\d+)/s.exec(read(pid, 'stat'))?.[1]
    if (parent !== undefined) parents.set(pid, Number(parent))
  }
  const isBelow = (pid: number) => {
    for (let at = pid, depth = 0; depth < 20; depth += 1) {
      if (at === root) return true
      const parent = parents.get(at)
      if (parent === undefined || parent <= 1) return false
      at = parent
    }
    return false
  }
  return [...parents.keys()].filter(isBelow).map((pid) => ({ pid, role: roleOf(pid) }))
}

function roleOf(pid: number): string {
  const argv = read(pid, 'cmdline').split('\0')
  const at = argv.indexOf('role')
  if (at > 0) return argv[at + 1] ?? 'unknown'
  if (argv.includes('kafka.Kafka')) return 'kafka'
  if (/postgres/.test(argv[0] ?? '')) return 'postgres'
  return argv.some((argument) => /main\.js$/.test(argument)) ? 'supervisor' : 'others'
}

function read(pid: number, file: 'stat' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/** CPU seconds from now on, by role; what ended meanwhile is not counted. */
export function watchCpu(processes: () => readonly Work[]): () => Map<string, number> {
  const before = new Map(processes().map(({ pid }) => [pid, cpuSeconds(pid)]))
  return () => {
    const used = new Map<string, number>()
    for (const { pid, role } of processes()) {
      const seconds = cpuSeconds(pid) - (before.get(pid) ?? 0)
      used.set(role, (used.get(role) ?? 0) + seconds)
    }
    return used
  }
}
