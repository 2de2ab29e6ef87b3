import type { Monitor } from '../../infra/metastore/monitors/monitors.ts'
import type { Reader } from '../../infra/metastore/rights/port.ts'
import type { AlertSample } from '../../schemas/monitors/notice.ts'

export type DryRun = {
  /** Rising; of each the rows of all groups, and how many groups failed. */
  readonly runs: readonly {
    readonly atMs: number
    readonly count: number
    readonly failing: number
  }[]
  readonly isComplete: boolean
  readonly fromMs: number
  readonly toMs: number
  readonly fired: readonly {
    readonly atMs: number
    readonly group: string
    readonly count: number
  }[]
  /** Of the newest run that failed, else of the newest that found any. */
  readonly sample: SampledRun | undefined
}

export type SampledRun = AlertSample & { readonly atMs: number; readonly isFailing: boolean }

/** `past`: how long before now. Who tries what is his own has no more rights than he has by this
 *  way of signing in. Fails with monitor.*, and what a search fails with. */
export type TryMonitor = (
  monitor: Pick<Monitor, 'ownerId' | 'settings'>,
  by: { readonly past: number; readonly caller: Reader },
) => Promise<DryRun>
