// What is told of an alert, whichever way it goes out. Texts of events stand in it as they are:
// each way makes them harmless for itself.
import { z } from 'zod'
import { SEVERITIES } from './monitor.ts'

export const alertSample = z.object({
  columns: z.array(z.string()).readonly(),
  rows: z.array(z.array(z.string()).readonly()).readonly(),
  /** Of rows that are events: when each was, ISO 8601 in UTC. */
  times: z.array(z.string()).readonly().optional(),
})
export type AlertSample = Readonly<z.infer<typeof alertSample>>

/** A chart: how many events came when. */
const alertPicture = z.object({
  /** Of the first column. */
  fromMs: z.number(),
  stepMs: z.number(),
  counts: z.array(z.number()).readonly(),
  timeZone: z.string(),
})
export type AlertPicture = Readonly<z.infer<typeof alertPicture>>

export const alertNotice = z.object({
  event: z.enum(['opened', 'repeated', 'closed', 'escalated', 'test', 'digest']),
  alertId: z.int(),
  monitor: z.string(),
  severity: z.enum(SEVERITIES),
  /** '' where the monitor has no groups. */
  group: z.string(),
  count: z.number(),
  query: z.string(),
  openedMs: z.number(),
  /** Of the run that tells it. */
  atMs: z.number(),
  sample: alertSample,
  /** Of the search that shows the rows. */
  link: z.string(),
  /** Made of the monitor's templates. */
  subject: z.string(),
  text: z.string(),
  /** For mails; notices made before there was one have none. */
  picture: alertPicture.optional(),
})
export type AlertNotice = Readonly<z.infer<typeof alertNotice>>
