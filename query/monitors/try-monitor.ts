import type { Monitor } from '../../infra/metastore/monitors/monitors.ts'

export type DryRun = {
  readonly runs: number
  readonly isComplete: boolean
  readonly fromMs: number
  readonly fired: readonly {
    readonly atMs: number
    readonly group: string
    readonly count: number
  }[]
}

/** Fails with monitor.*, and what a search fails with. */
export type TryMonitor = (monitor: Monitor) => Promise<DryRun>
