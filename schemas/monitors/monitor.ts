// A monitor: a query that runs by a schedule, and what its rows mean. The texts are kept as they
// were given; parse-*.ts beside this read them.
import { z } from 'zod'

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const

/** Only what has arrived since the last run. */
export const NEW_EVENTS = 'new'

export const monitorSettings = z.object({
  description: z.string(),
  query: z.string(),
  /** Logs that it reads, as the scope of a search; '' for all that its owner may view. */
  sources: z.string(),
  schedule: z.string(),
  /** '' for that of the system. */
  timeZone: z.string(),
  /** '' for any time. */
  businessHours: z.string(),
  /** `new`, or how long before the due time. */
  window: z.union([z.literal(NEW_EVENTS), z.int().positive()]),
  delaySeconds: z.int(),
  rule: z.string(),
  /** '' for one alert of all rows. */
  groupBy: z.string(),
  severity: z.enum(SEVERITIES),
  /** Told once while it fails; else at each run that fails. */
  isOnce: z.boolean(),
  /** Runs that must fail before an alert opens, and pass before it closes. */
  openAfter: z.int().positive(),
  closeAfter: z.int().positive(),
  /** Alerts of one group that are told in an hour; 0 for all. */
  maxAlertsPerHour: z.int(),
  /** Whether the end is told, too. */
  tellsEnd: z.boolean(),
  /** Alert targets of the address book. */
  actions: z.array(z.string()).readonly(),
  /** Who is told when nobody has seen to an alert for so long, one step after the other. Monitors
   *  made before there was one have none. */
  escalation: z
    .array(z.object({ afterMs: z.int().positive(), target: z.string() }))
    .readonly()
    .default([]),
  /** Templates; '' for the usual text. */
  subject: z.string(),
  text: z.string(),
})

export type MonitorSettings = Readonly<z.infer<typeof monitorSettings>>

export const DEFAULT_MONITOR: Omit<MonitorSettings, 'query'> = {
  ...{ description: '', sources: '', schedule: 'every 5m', timeZone: '', businessHours: '' },
  ...{ window: NEW_EVENTS, delaySeconds: 0, rule: 'exists', groupBy: '', severity: 'medium' },
  ...{ isOnce: true, openAfter: 1, closeAfter: 1, maxAlertsPerHour: 0, tellsEnd: false },
  ...{ actions: [], escalation: [], subject: '', text: '' },
}
