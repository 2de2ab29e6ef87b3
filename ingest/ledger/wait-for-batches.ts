// What the writers of all partitions are at work on, by their positions in the event log.
import type { Clock } from '../../infra/clock.ts'
import type { EventLog } from '../../infra/event-log/port.ts'
import { parseState, type WriterState } from '../writer/position-state.ts'

const SETTLED_MS = 20_000
const LOOK_MS = 50

export type WriterStates = ReadonlyMap<
  number,
  { readonly next: number; readonly state: WriterState }
>

export type WaitDeps = {
  readonly eventLog: Pick<EventLog, 'partitions' | 'position'>
  readonly clock: Pick<Clock, 'elapsedMs' | 'sleep'>
  readonly signal: AbortSignal
}

export async function readStates({ eventLog }: Pick<WaitDeps, 'eventLog'>): Promise<WriterStates> {
  const states = new Map<number, { next: number; state: WriterState }>()
  for (let partition = 0; partition < eventLog.partitions; partition += 1) {
    const { next, metadata } = await eventLog.position(partition, { isExact: true })
    const state = parseState(metadata)
    if (state !== undefined) states.set(partition, { next, state })
  }
  return states
}

/** Until every batch of now is committed. False: one is not, and nothing can be said of what it
 *  left. */
export async function waitForBatches(deps: WaitDeps): Promise<boolean> {
  const { clock, signal } = deps
  const beganMs = clock.elapsedMs()
  let open = [...(await readStates(deps))].flatMap(([partition, { state }]) =>
    state.intent === undefined ? [] : [{ partition, to: state.intent.to }],
  )
  while (open.length > 0) {
    if (signal.aborted || clock.elapsedMs() - beganMs > SETTLED_MS) return false
    await clock.sleep(LOOK_MS, signal)
    const now = await readStates(deps)
    open = open.filter(({ partition, to }) => {
      const { next = 0, state } = now.get(partition) ?? {}
      return next < to.offset || (next === to.offset && (state?.index ?? 0) < to.index)
    })
  }
  return true
}
