// What a process costs, from /proc: CPU seconds, and memory without file pages (they belong to the
// page cache).
import { readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** Of the whole process, or of one of its threads. */
export function cpuSeconds(pid: number, thread?: string): number {
  const task = thread === undefined ? '' : `/task/${thread}`
  try {
    const fields = readFileSync(`/proc/${pid}${task}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  } catch {
    return 0
  }
}

/** Proportional set size of anonymous and shared memory, in bytes. */
export function memoryBytes(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    const kib = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)
    return (kib('Pss_Anon') + kib('Pss_Shmem')) * 1024
  } catch {
    return 0
  }
}

export type MemoryWatch = {
  readonly peakBytes: ReadonlyMap<number, number>
  readonly peakTotalBytes: () => number
  stop(): void
}

/** Samples twice a second; the peak of the sum is of one moment. */
export function watchMemory(pids: () => readonly number[]): MemoryWatch {
  const peakBytes = new Map<number, number>()
  let peakTotal = 0
  const sample = () => {
    let total = 0
    for (const pid of pids()) {
      const bytes = memoryBytes(pid)
      total += bytes
      peakBytes.set(pid, Math.max(bytes, peakBytes.get(pid) ?? 0))
    }
    peakTotal = Math.max(peakTotal, total)
  }
  const timer = setInterval(sample, 500)
  sample()
  return { peakBytes, peakTotalBytes: () => peakTotal, stop: () => clearInterval(timer) }
}
