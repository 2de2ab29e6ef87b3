// The time frame of an app, a dashboard or a widget: a fixed interval, or a start with or without
// an end, written as in a call. Null: that of the level above.
import { z } from 'zod'
import { FIXED_INTERVALS } from '../time/time-window.ts'

const MAX_TIME_CHARACTERS = 64

const time = z.string().trim().min(1).max(MAX_TIME_CHARACTERS)

export const timeFrame = z
  .union([
    z.strictObject({ interval: z.enum(FIXED_INTERVALS) }),
    z.strictObject({
      start: time.meta({ description: 'ISO 8601, or told from now, such as -2h or -1d@d.' }),
      end: time.optional().meta({ description: 'Without it: now.' }),
    }),
  ])
  .meta({ id: 'TimeFrame' })

export type TimeFrame = z.infer<typeof timeFrame>
