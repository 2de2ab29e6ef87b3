// Maintenance windows: times in which alerts of these monitors are kept and not told. Pure.
import { z } from 'zod'
import { nextCronRuns, parseCron } from '../time/cron.ts'
import type { TimeZone } from '../time/time-zone.ts'

export const maintenanceSettings = z.object({
  description: z.string(),
  /** Names; [] for all. */
  monitors: z.array(z.string()).readonly(),
  /** ISO 8601 with zone, both or none. */
  start: z.string(),
  end: z.string(),
  /** Five fields of cron, '' for none: begins each time. */
  cron: z.string(),
  minutes: z.int(),
  /** Of the cron; '' for that of the system. */
  timeZone: z.string(),
})
export type MaintenanceSettings = Readonly<z.infer<typeof maintenanceSettings>>

const MINUTE_MS = 60_000

export function isInWindow(
  { start, end, cron, minutes }: MaintenanceSettings,
  nowMs: number,
  zone: TimeZone,
): boolean {
  if (start !== '' && nowMs >= Date.parse(start) && nowMs < Date.parse(end)) return true
  const parsed = parseCron(cron)
  if (parsed === undefined) return false
  const [begun] = nextCronRuns(parsed, zone, nowMs - minutes * MINUTE_MS, 1)
  return begun !== undefined && begun <= nowMs
}
