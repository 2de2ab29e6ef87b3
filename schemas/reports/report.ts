// A report: a dashboard as PDF, or the rows of a saved search as CSV, sent by mail by a schedule.
import { z } from 'zod'

export const reportSettings = z.object({
  description: z.string(),
  /** `App->Dashboard`; '' where it is a search. */
  dashboard: z.string(),
  /** Name of a saved search as its owner knows it; '' where it is a dashboard. */
  search: z.string(),
  /** As monitors have it. */
  schedule: z.string(),
  /** '' for that of the system. */
  timeZone: z.string(),
  /** Alert targets of the type mail. */
  targets: z.array(z.string()).readonly(),
  /** '' for the usual one. */
  subject: z.string(),
})

export type ReportSettings = Readonly<z.infer<typeof reportSettings>>

export const DEFAULT_REPORT: ReportSettings = {
  ...{ description: '', dashboard: '', search: '', schedule: 'daily 08:00', timeZone: '' },
  ...{ targets: [], subject: '' },
}
