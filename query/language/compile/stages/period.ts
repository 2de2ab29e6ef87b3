// Periods of datastream without `interval` (search-language#datastream).
import type { SearchInput } from '../../search-input.ts'
import type { Step } from '../groups/bucket-sql.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** An open window counts as long. */
export function defaultPeriod({ startMs, endMs }: SearchInput['window']): Step {
  if (startMs === null || endMs === null) return { count: 1, unit: 'week' }
  const lengthMs = endMs - startMs
  if (lengthMs <= 3 * HOUR_MS) return { count: 1, unit: 'minute' }
  if (lengthMs <= DAY_MS) return { count: 1, unit: 'hour' }
  return { count: 1, unit: lengthMs <= 31 * DAY_MS ? 'day' : 'week' }
}
