// Parameters and answers of logger.jsp for the OpenAPI document (decisions 2.1-2.5). The listener writes its answers as text; a test
// holds the two together.
import { z } from 'zod'

const count = z.int().min(0)

export const ingestParameters = z.object({
  token: z.string().meta({ description: 'Of the listener account.' }),
  hostName: z.string().max(255).optional().meta({ description: 'Names the source device.' }),
  debug: z
    .enum(['1'])
    .optional()
    .meta({ description: 'Tells where each event would be stored, and stores nothing.' }),
})

export const ingestAnswer = z
  .object({
    text: z.string(),
    code: z.int().meta({
      description: '0 success, 4 token, 5 no data, 6 invalid format, 8 internal, 9 busy.',
    }),
    received: count,
    accepted: count,
    rejected: count,
    errors: z
      .array(z.object({ index: count, code: z.string(), message: z.string() }))
      .meta({ description: 'Rejected events, at most 100.' }),
    receipt: z.string().optional(),
  })
  .meta({ id: 'IngestAnswer' })
