// What a run reads: the events between its marks, or those of its window that had arrived when it
// was begun; as the owner, with the rights that he has now.
import { z } from 'zod'
import { readMonitorMemory } from '../../../infra/metastore/monitors/monitor-kinds.ts'
import type { Run } from '../../../infra/metastore/monitors/monitor-runs.ts'
import type { Monitor } from '../../../infra/metastore/monitors/monitors.ts'
import { Failure } from '../../../schemas/failures.ts'
import { NEW_EVENTS } from '../../../schemas/monitors/monitor.ts'
import { isNewKind, parseRule, type Rule } from '../../../schemas/monitors/rule.ts'
import type { ArrivalBounds } from '../../language/search-input.ts'
import type { Turn } from '../../search/run-in-turn.ts'
import { judge } from '../evaluate/judge.ts'
import { groupStates } from '../evaluate/step-alerts.ts'
import { LOOK_BACK_MS } from '../novelty/step-kinds.ts'
import { type ObserveDeps, observe } from '../observe.ts'
import type { Observed, Question } from '../question.ts'
import { requireOwnerOf } from '../require-owner-of.ts'
import { type Pictures, readPictures } from '../tell/read-pictures.ts'
import { windowOf } from './window-of.ts'

const arrived = z.array(z.object({ offset: z.number(), index: z.number() }))

type Work = { readonly monitor: Monitor; readonly run: Run }

/** With the pictures of the alerts that it may open, where somebody is told by mail. Fails with
 *  monitor.owner, monitor.rule, and as `observe`. */
export async function observeMonitor(
  work: Work,
  turn: Omit<Turn, 'userId'>,
  deps: ObserveDeps & { readonly tellsByMail: () => Promise<boolean> },
): Promise<Observed & { readonly pictures: Pictures }> {
  const question = await questionOf(work, deps)
  const own = { ...turn, userId: question.reader.id }
  const observed = await observe(question, own, deps)
  const groups = newlyFailing(work.monitor, question.rule, observed)
  const isPictured = groups.length > 0 && (await deps.tellsByMail())
  const pictures = isPictured ? await readPictures(question, groups, own, deps) : new Map()
  return { ...observed, pictures }
}

/** Groups of which something may be told. */
function newlyFailing({ settings, groups }: Monitor, rule: Rule, observed: Observed): string[] {
  const states = new Map(groupStates.parse(JSON.parse(groups)))
  return [...judge(rule, observed, [])].flatMap(([group, { isFailing }]) =>
    isFailing && (states.get(group)?.isTold !== true || !settings.isOnce) ? [group] : [],
  )
}

async function questionOf({ monitor, run }: Work, deps: ObserveDeps): Promise<Question> {
  const { settings, sinceMs } = monitor
  const reader = await requireOwnerOf('monitor', monitor, deps.metastore)
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
  return { settings, rule, reader, window, arrival, earlier, memory, nowMs: run.dueMs }
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
