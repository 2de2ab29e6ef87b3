// What a monitor's query is asked, and what was seen.
import type { Reader } from '../../infra/metastore/rights/port.ts'
import type { MonitorSettings } from '../../schemas/monitors/monitor.ts'
import type { AlertSample } from '../../schemas/monitors/notice.ts'
import type { Rule } from '../../schemas/monitors/rule.ts'
import type { Seen } from '../../schemas/monitors/seen.ts'
import type { TimeWindow } from '../../schemas/time/time-window.ts'
import type { ArrivalBounds } from '../language/search-input.ts'
import type { Observation } from './evaluate/judge.ts'
import type { Memory } from './novelty/step-kinds.ts'

/** `asked`: by what question it was learned; of another one nothing is known. */
export type KindMemory = Memory & { readonly asked: string }

export type Question = {
  readonly settings: Pick<MonitorSettings, 'query' | 'sources' | 'groupBy'>
  readonly rule: Rule
  readonly reader: Reader
  readonly window: TimeWindow
  readonly arrival: ArrivalBounds | undefined
  /** What `now` is in the query: the due time. */
  readonly nowMs: number
  /** Of a rule of new kinds: what was seen before; undefined: nothing yet. */
  readonly memory?: KindMemory | undefined
  /** The events before those of `arrival`, of which it learns. */
  readonly earlier: ArrivalBounds
}

export type Observed = Observation & {
  /** What counts and sample were made of. */
  readonly seen: Seen
  readonly sample: AlertSample
  /** Of a rule of new kinds: what has been seen by now. */
  readonly memory?: KindMemory
}
