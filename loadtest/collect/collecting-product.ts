// The product with the role `collector`, on a data directory of its own beside a directory of log
// files, and what the figures ask of it from outside: searches, commands, metrics, CPU time and
// memory of all its processes.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { callSdk } from '../../test/support/clients/sdk-client.ts'
import { makeSearchClient, type SearchClient } from '../../test/support/clients/search-client.ts'
import { memoryBytes } from '../../test/support/machine/process-usage.ts'
import { type Product, startProduct } from '../../test/support/product/product.ts'
import { listTree, watchCpu } from '../support/bench/process-tree.ts'

const ROLES = 'listener,query,writer,scheduler,collector,store'
const MIB = 2 ** 20
const PRINTED_OUTPUT = 4000

export type CollectingProduct = {
  readonly product: Product
  readonly search: SearchClient
  /** Of the log files; empty. */
  readonly files: string
  sdk(command: string, given: Readonly<Record<string, string>>): Promise<Record<string, unknown>>
  /** Of the product's metrics: the sum of all series of the name with this label. */
  metric(name: string, label: string): Promise<number>
  /** CPU seconds from now on, by role. */
  watchCpu(): () => Map<string, number>
  /** By role. */
  memoryMib(): Map<string, number>
}

/** Ends the product and removes all files, whatever happens. */
export async function onCollectingProduct<T>(
  use: (place: CollectingProduct) => Promise<T>,
): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'logeye-bench-collect-'))
  const files = join(directory, 'files')
  mkdirSync(files)
  try {
    const dataDir = join(directory, 'data')
    const product = await startProduct({ dataDir, environment: { LOGEYE_ROLES: ROLES } })
    try {
      return await use(placeOf(product, files))
    } catch (error) {
      console.error(product.output().slice(-PRINTED_OUTPUT))
      throw error
    } finally {
      await product.stop()
      await product.killAll()
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function placeOf(product: Product, files: string): CollectingProduct {
  const { url, secrets, supervisorPid } = product
  const processes = () => listTree(supervisorPid)
  return {
    product,
    search: makeSearchClient(url, secrets.password),
    files,
    sdk: (command, given) => callSdk(url, secrets.password, command, given),
    metric: async (name, label) => {
      const answer = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(30_000) })
      const series = (await answer.text()).split('\n')
      const found = series.filter((line) => line.startsWith(`${name}{`) && line.includes(label))
      return found.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
    },
    watchCpu: () => watchCpu(processes),
    memoryMib: () => {
      const all = new Map<string, number>()
      for (const { pid, role } of processes())
        all.set(role, (all.get(role) ?? 0) + memoryBytes(pid) / MIB)
      return all
    },
  }
}

/** Seconds until it is so; fails after the limit. */
export async function secondsUntil(
  what: string,
  isSo: () => Promise<boolean>,
  { limitMs, everyMs }: { readonly limitMs: number; readonly everyMs: number },
): Promise<number> {
  const startedMs = performance.now()
  while (!(await isSo())) {
    if (performance.now() - startedMs > limitMs) throw new Error(`${what}: not in ${limitMs} ms`)
    await sleep(everyMs)
  }
  return (performance.now() - startedMs) / 1000
}

export function sumOf(byRole: ReadonlyMap<string, number>): number {
  return [...byRole.values()].reduce((sum, value) => sum + value, 0)
}

export function printRoles(byRole: ReadonlyMap<string, number>, unit = 1): string {
  return [...byRole]
    .filter(([, value]) => value > 0)
    .sort((a, b) => b[1] - a[1])
    .map(([role, value]) => `${role} ${(value / unit).toFixed(2)}`)
    .join(', ')
}

/** Shares of a core in this time, by role, when nothing is done from outside. */
export async function restingShares(
  { watchCpu: watch }: CollectingProduct,
  ms: number,
): Promise<ReadonlyMap<string, number>> {
  const used = watch()
  const startedMs = performance.now()
  await sleep(ms)
  const cpu = used()
  const seconds = (performance.now() - startedMs) / 1000
  return new Map([...cpu].map(([role, spent]) => [role, (spent / seconds) * 100]))
}
