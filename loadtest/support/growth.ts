// What a process holds, minute by minute, and whether that grows: memory, descriptors, parts of the store.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { memoryBytes } from './process-usage.ts'
import type { Product } from './product.ts'

export type Sample = {
  readonly memoryMiB: number
  readonly descriptors: number
  readonly parts: number
}

const MIB = 2 ** 20
/** Part directories are named partition_from_to_level. */
const PART = /^.+_\d+_\d+_\d+$/

export function pidsOf(product: Product): number[] {
  return [product.supervisorPid, ...product.processes().map(({ pid }) => pid)]
}

export function sampleOf(product: Product): Sample {
  const pids = pidsOf(product)
  const sum = (of: (pid: number) => number) => pids.reduce((total, pid) => total + of(pid), 0)
  const tables = join(product.dataDir, 'store', 'store')
  const parts = namesIn(tables)
    .flatMap((first) => namesIn(join(tables, first)).map((table) => join(tables, first, table)))
    .flatMap(namesIn)
    .filter((name) => PART.test(name)).length
  return {
    memoryMiB: sum(memoryBytes) / MIB,
    descriptors: sum((pid) => namesIn(`/proc/${pid}/fd`).length),
    parts,
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

/** How much the straight line through the values rises from the first to the last. */
export function riseOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  let together = 0
  let squares = 0
  for (const [at, value] of values.entries()) {
    together += (at - middle) * (value - mean)
    squares += (at - middle) ** 2
  }
  return squares === 0 ? 0 : (together / squares) * (values.length - 1)
}
