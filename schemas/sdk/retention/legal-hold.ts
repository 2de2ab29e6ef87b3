// A legal hold as the SDK tells it (docs/decisions/0084).
import { z } from 'zod'

export const legalHold = z.strictObject({
  number: z.number(),
  kind: z.enum(['log', 'folder', 'policy']),
  /** Path or name; '' for what the caller may not view. */
  target: z.string(),
  /** Times of events; null: no end. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  reason: z.string(),
  madeBy: z.string(),
  madeAt: z.string(),
})
