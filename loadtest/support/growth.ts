// What a process holds, minute by minute, and whether that grows: memory, descriptors, parts of the
// store.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { memoryBytes } from '../../test/support/machine/process-usage.ts'
import type { Product, ProductProcess } from '../../test/support/product/product.ts'

export type Sample = {
  /** Of all processes. */
  readonly memoryMiB: number
  /** By role: a process that grows may hide behind one that fills its caches. */
  readonly memoryMiBOf: ReadonlyMap<string, number>
  readonly descriptors: number
  readonly parts: number
}

const MIB = 2 ** 20
/** Part directories are named partition_from_to_level. */
const PART = /^.+_\d+_\d+_\d+$/

export function pidsOf(product: Product): number[] {
  return processesOf(product).map(({ pid }) => pid)
}

export function sampleOf(product: Product): Sample {
  const memoryMiBOf = new Map<string, number>()
  let memoryMiB = 0
  let descriptors = 0
  for (const { role, pid } of processesOf(product)) {
    const heldMiB = memoryBytes(pid) / MIB
    memoryMiBOf.set(role, (memoryMiBOf.get(role) ?? 0) + heldMiB)
    memoryMiB += heldMiB
    descriptors += namesIn(`/proc/${pid}/fd`).length
  }
  const tables = join(product.dataDir, 'store', 'store')
  const parts = namesIn(tables)
    .flatMap((first) => namesIn(join(tables, first)).map((table) => join(tables, first, table)))
    .flatMap(namesIn)
    .filter((name) => PART.test(name)).length
  return { memoryMiB, memoryMiBOf, descriptors, parts }
}

function processesOf(product: Product): ProductProcess[] {
  return [{ role: 'supervisor', pid: product.supervisorPid }, ...product.processes()]
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
