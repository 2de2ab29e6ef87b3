// Reported usage, to be read (decision 9.12).
import { z } from 'zod'
import { givenTime, pageQuery, timestamp } from './common.ts'
import { deploymentId } from './deployments.ts'

export const granularity = z.enum(['hour', 'day'])

export const usageQuery = pageQuery.extend({
  granularity: granularity.default('day').meta({ description: 'Days and hours are those of UTC.' }),
  from: givenTime.optional().meta({ description: 'From this hour on; absent: 30 days ago.' }),
  to: givenTime.optional().meta({ description: 'Before this time; absent: now.' }),
  deploymentId: deploymentId.optional(),
  source: z.string().max(200).optional(),
})

export const usageRow = z
  .strictObject({
    time: timestamp.meta({ description: 'Begin of the hour or day.' }),
    deploymentId,
    source: z.string().meta({ description: 'Empty where the deployment named none.' }),
    events: z.int(),
    bytes: z.int(),
  })
  .meta({ id: 'UsageRow' })
export type UsageRow = z.infer<typeof usageRow>
