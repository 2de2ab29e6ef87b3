// What a document is made of: a result in the eyes of its viewer, in words, with the addresses of
// its searches. Pure.
import type { DashboardResult } from '../../../schemas/dashboards/result.ts'
import type { TimeFrame } from '../../../schemas/dashboards/time-frame.ts'
import { chosenOf, type VariableChoice } from '../../../schemas/dashboards/variable.ts'
import type { OpenedDashboard } from '../open-dashboard.ts'
import { printCallTimeFrame, windowQuery } from '../print-time-frame.ts'
import type { DocumentQuestion } from './document-question.ts'

/** What is chosen on the page; undefined: as the dashboard says. */
export type Choice = {
  readonly chosen: VariableChoice | undefined
  readonly timeFrame: TimeFrame | undefined
}

export function makeDocumentQuestion(
  { app, dashboard }: OpenedDashboard,
  choice: Choice,
  result: DashboardResult,
  publicUrl: string,
): DocumentQuestion {
  const { definition } = dashboard
  const chosen = definition.variables
    .map(({ name, label, value }) => ({
      name,
      label,
      value: chosenOf(choice.chosen ?? {}, name) ?? value,
    }))
    .filter(({ value }) => value.length > 0)
    .map(({ name, label, value }) => `${label || name}: ${value.join(', ')}`)
    .join('; ')
  const links = result.widgets
    .filter(({ query, error }) => query !== '' && error === null)
    .map(({ widgetId, query, window }) => {
      const address = new URLSearchParams({ searchQuery: query, ...windowQuery(window) })
      return [widgetId, `${publicUrl}/logeye/search/view/loadSearchModel.jsp?${address}`] as const
    })
  return {
    ...{ appName: app.name, dashboardName: dashboard.name, definition, result, chosen },
    timeFrame: printCallTimeFrame(
      choice.timeFrame ?? definition.timeFrame ?? app.settings.timeFrame,
    ),
    links: Object.fromEntries(links),
  }
}
