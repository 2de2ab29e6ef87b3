// Health of the portal (decision 9.11).
import { z } from 'zod'

const status = z.enum(['pass', 'warn', 'fail'])

export const healthAnswer = z
  .strictObject({
    status,
    version: z.string(),
    checks: z
      .record(z.string(), z.strictObject({ status, output: z.string() }))
      .optional()
      .meta({ description: 'With an operator token alone.' }),
  })
  .meta({ id: 'PortalHealth' })
export type HealthTold = z.infer<typeof healthAnswer>

export const aliveAnswer = z.strictObject({ status: z.literal('alive') })
