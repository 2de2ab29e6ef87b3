// A time frame as an argument: `last24Hours`, or `-2h` and `-2h..-1h` told from now.
import { z } from 'zod'
import { type TimeFrame, timeFrame } from '../dashboards/time-frame.ts'
import { parseFixedInterval } from '../time/time-window.ts'

const BETWEEN = '..'

export const timeFrameValue = z.string().transform((text, context): TimeFrame => {
  const given = text.trim()
  const interval = parseFixedInterval(given)
  const [start = '', end, ...rest] = given.split(BETWEEN)
  const frame =
    interval === undefined ? { start, ...(end === undefined ? {} : { end }) } : { interval }
  const parsed = timeFrame.safeParse(frame)
  if (parsed.success && rest.length === 0) return parsed.data
  context.addIssue({
    code: 'custom',
    message: 'must be a fixed interval such as last24Hours, or a start such as -2h or -2h..-1h',
  })
  return z.NEVER
})

export function printTimeFrame(frame: TimeFrame): string {
  if ('interval' in frame) return frame.interval
  return frame.end === undefined ? frame.start : `${frame.start}${BETWEEN}${frame.end}`
}
