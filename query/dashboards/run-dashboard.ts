// All widgets of a dashboard, a few at a time. One that fails says so in its place; the others have
// their rows.

import type { App, Dashboard } from '../../infra/metastore/dashboards/read-apps.ts'
import {
  keepResult,
  madeOf,
  type ResultScope,
  scopeOf,
  type VisibleLogs,
} from '../../infra/metastore/dashboards/stored-results.ts'
import type { Reader } from '../../infra/metastore/rights/port.ts'
import type { DashboardResult, WidgetResult } from '../../schemas/dashboards/result.ts'
import type { TimeFrame } from '../../schemas/dashboards/time-frame.ts'
import type { VariableChoice } from '../../schemas/dashboards/variable.ts'
import type { Widget } from '../../schemas/dashboards/widget.ts'
import { Failure, isFailure } from '../../schemas/failures.ts'
import { readStyle } from '../edge/read-style.ts'
import type { Turn } from '../search/run-in-turn.ts'
import { toErrorEnvelope } from '../search-json/failed-answer.ts'
import { runWidget, type WidgetContext, type WidgetDeps } from './run-widget.ts'

export type DashboardQuestion = {
  readonly app: App
  readonly dashboard: Dashboard
  readonly reader: Reader
  readonly nowMs: number
  /** Instead of the dashboard's own; undefined: those. */
  readonly chosen?: VariableChoice | undefined
  readonly timeFrame?: TimeFrame | undefined
}

/** Of a dashboard at once: others search, too. */
const AT_ONCE = 2

/** Fails with dashboard.variable (none of this name) and the reason of the turn's signal. */
export async function runDashboard(
  question: DashboardQuestion,
  turn: Turn & { readonly timeoutMs: number },
  deps: WidgetDeps,
): Promise<DashboardResult> {
  const context = contextOf(question, deps)
  const { widgets } = question.dashboard.definition
  const results = new Map<string, WidgetResult>()
  const waiting = [...widgets]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      results.set(next.id, await runOrTell(next, context, turn, deps))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const { style, nowMs } = context
  return {
    version: 1,
    generatedMs: nowMs,
    timeZone: style.zone.name,
    dateFormat: style.dateFormat.pattern,
    widgets: widgets.flatMap(({ id }) => results.get(id) ?? []),
  }
}

/** What its viewer may see is noted before it runs: a right that goes meanwhile refuses the
 *  result. */
export async function runAndKeep(
  question: DashboardQuestion & { readonly askedMs?: number },
  turn: Turn & { readonly timeoutMs: number },
  deps: WidgetDeps,
): Promise<DashboardResult> {
  const { app, dashboard, reader, askedMs = question.nowMs } = question
  const visible = await deps.metastore.visibleLogs(reader)
  const { scope, lastLogId } = await resultScope(visible, deps)
  const result = await runDashboard(question, turn, deps)
  await deps.metastore.database.write((transaction) =>
    keepResult(transaction, {
      ...{ dashboard_id: dashboard.id, scope, last_log_id: lastLogId },
      ...{ made_of: madeOf(app, dashboard), user_id: reader.id },
      ...{ asked_ms: askedMs, generated_ms: result.generatedMs },
      result: JSON.stringify(result),
    }),
  )
  return result
}

async function resultScope(visible: VisibleLogs, { metastore }: WidgetDeps): Promise<ResultScope> {
  const { logs } = await metastore.tree()
  let lastLogId = 0
  for (const id of logs.keys()) lastLogId = Math.max(lastLogId, id)
  return scopeOf(visible, lastLogId)
}

export function contextOf(
  { app, dashboard, reader, nowMs, chosen = {}, timeFrame }: DashboardQuestion,
  { metastore }: Pick<WidgetDeps, 'metastore'>,
): WidgetContext {
  const { definition } = dashboard
  return {
    ...{ reader, nowMs, chosen: chosenValues(definition.variables, chosen) },
    timeFrame: timeFrame ?? definition.timeFrame ?? app.settings.timeFrame,
    sources: definition.sources ?? app.settings.sources,
    style: readStyle(metastore, app.settings.timeZone || undefined),
  }
}

function chosenValues(
  variables: Dashboard['definition']['variables'],
  chosen: VariableChoice,
): ReadonlyMap<string, readonly string[]> {
  const values = new Map(variables.map(({ name, value }) => [name, value]))
  for (const [name, given] of Object.entries(chosen)) {
    const variable = variables.find((one) => one.name === name)
    const refuse = (reason: string) => new Failure('dashboard.variable', { variable: name, reason })
    if (variable === undefined) throw refuse('the dashboard has none of this name')
    if (given.length > 1 && !variable.isMultiple) throw refuse('takes one value')
    if (variable.kind === 'list')
      for (const one of given)
        if (!variable.choices.includes(one)) throw refuse('is none of its choices')
    values.set(name, [...given])
  }
  return values
}

async function runOrTell(
  widget: Widget,
  context: WidgetContext,
  turn: Turn & { readonly timeoutMs: number },
  deps: WidgetDeps,
): Promise<WidgetResult> {
  try {
    return await runWidget(widget, context, turn, deps)
  } catch (error) {
    turn.signal.throwIfAborted()
    if (!isFailure(error)) throw error
    const { code, message } = toErrorEnvelope(error, turn.timeoutMs).error
    return {
      ...{ widgetId: widget.id, query: widget.query, rows: null, warnings: [] },
      window: { startMs: null, endMs: null },
      error: { code, message },
    }
  }
}
