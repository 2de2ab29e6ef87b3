// What a run reads: the events between its marks, or those of its window that had arrived when it
// was begun; as the owner, with the rights that he has now.
import { z } from 'zod'
import { mayDo } from '../../../infra/access/may-do.ts'
import { readMonitorMemory } from '../../../infra/metastore/monitors/monitor-kinds.ts'
import type { Run } from '../../../infra/metastore/monitors/monitor-runs.ts'
import type { Monitor } from '../../../infra/metastore/monitors/monitors.ts'
import type { OpenedMetastore } from '../../../infra/metastore/open.ts'
import { Failure } from '../../../schemas/failures.ts'
import { type MonitorSettings, NEW_EVENTS } from '../../../schemas/monitors/monitor.ts'
import { isNewKind, parseRule } from '../../../schemas/monitors/rule.ts'
import type { TimeWindow } from '../../../schemas/time/time-window.ts'
import { ANONYMOUS_USER, type UserRecord } from '../../../schemas/users.ts'
import type { ArrivalBounds } from '../../language/search-input.ts'
import type { Turn } from '../../search/run-in-turn.ts'
import { LOOK_BACK_MS } from '../novelty/step-kinds.ts'
import { type ObserveDeps, type Observed, observe } from '../observe.ts'

const arrived = z.array(z.object({ offset: z.number(), index: z.number() }))
const ALL_TIME: TimeWindow = { startMs: null, endMs: null }

/** Fails with monitor.owner, monitor.rule, and as `observe`. */
export async function observeMonitor(
  { monitor, run }: { readonly monitor: Monitor; readonly run: Run },
  turn: Omit<Turn, 'userId'>,
  deps: ObserveDeps,
): Promise<Observed> {
  const { settings, sinceMs } = monitor
  const reader = await requireOwner(monitor, deps.metastore)
  const rule = parseRule(settings.rule)
  if (rule === undefined) throw new Failure('monitor.rule', { reason: 'it cannot be read' })
  const to = arrived.parse(JSON.parse(run.markTo))
  const from = run.markFrom === null ? undefined : arrived.parse(JSON.parse(run.markFrom))
  const isNew = settings.window === NEW_EVENTS
  const arrival = isNew
    ? {
        ...(from === undefined ? { received: { fromMs: sinceMs, toMs: null } } : { from }),
        to,
      }
    : { to }
  const window = windowOf(settings, run.dueMs)
  const earlier = earlierOf(from, { sinceMs, dueMs: run.dueMs })
  const memory = isNewKind(rule) ? await readMemory(monitor, deps) : undefined
  const asked = { settings, rule, reader, window, arrival, earlier, nowMs: run.dueMs }
  return await observe({ ...asked, memory }, { ...turn, userId: reader.id }, deps)
}

/** Four weeks before what the run reads. */
function earlierOf(
  from: z.infer<typeof arrived> | undefined,
  { sinceMs, dueMs }: { readonly sinceMs: number; readonly dueMs: number },
): ArrivalBounds {
  if (from !== undefined)
    return { to: from, received: { fromMs: dueMs - LOOK_BACK_MS, toMs: null } }
  return { received: { fromMs: sinceMs - LOOK_BACK_MS, toMs: sinceMs } }
}

async function readMemory({ id }: Monitor, { metastore }: ObserveDeps) {
  return await readMonitorMemory(metastore.database.read, id)
}

export function windowOf({ window }: Pick<MonitorSettings, 'window'>, dueMs: number): TimeWindow {
  return window === NEW_EVENTS ? ALL_TIME : { startMs: dueMs - window, endMs: dueMs }
}

/** Fails with monitor.owner. */
export async function requireOwner(
  { ownerId }: Pick<Monitor, 'ownerId'>,
  metastore: OpenedMetastore,
): Promise<UserRecord> {
  await metastore.refresh()
  const refuse = (reason: string) => new Failure('monitor.owner', { reason })
  if (ownerId === ANONYMOUS_USER.id) {
    if (metastore.isSecurityOn())
      throw refuse('it was made while security was off, and runs as nobody: give it an owner')
    return ANONYMOUS_USER
  }
  const owner = metastore.users.byId(ownerId)
  if (owner === undefined) throw refuse('its owner was removed: give it another one')
  if (!owner.isEnabled) throw refuse(`its owner ${owner.name} is disabled`)
  if (!mayDo(owner, 'data.monitors'))
    throw refuse(`its owner ${owner.name} may not have monitors any more`)
  return owner
}
