// What a document of a dashboard is made of: plain data, which goes to the worker as it is.
import type { DashboardDefinition } from '../../../schemas/dashboards/dashboard.ts'
import type { DashboardResult } from '../../../schemas/dashboards/result.ts'

export type DocumentQuestion = {
  readonly appName: string
  readonly dashboardName: string
  readonly definition: DashboardDefinition
  readonly result: DashboardResult
  /** In words: of the dashboard. */
  readonly timeFrame: string
  /** Values of variables in words; '' for none. */
  readonly chosen: string
  /** Of the search that a widget shows, by its id. */
  readonly links: Readonly<Record<string, string>>
}
