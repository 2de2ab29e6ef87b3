// Parameters and answers of logger.jsp for the OpenAPI document (decisions 2.1-2.5). The listener
// writes its answers as text; a test holds the two together.
import { z } from 'zod'
import { REJECTION_CODES } from '../block/schema.ts'

const count = z.int().min(0)

export const ingestParameters = z.object({
  token: z.string().meta({ description: 'Of the listener account.' }),
  hostName: z.string().max(255).optional().meta({ description: 'Names the source device.' }),
  debug: z
    .enum(['1'])
    .optional()
    .meta({ description: 'Tells where each event would be stored, and stores nothing.' }),
})

export const receiptParameters = z.object({
  token: z.string().meta({ description: 'Of the same listener account.' }),
  receipt: z.string().meta({ description: 'From the answer of ingest.' }),
})

export const receiptAnswer = z
  .strictObject({
    durable: z.literal(true),
    stored: z.boolean().meta({ description: 'A search finds the events.' }),
  })
  .meta({ id: 'ReceiptAnswer' })

const explainedEvent = z
  .strictObject({
    index: count.meta({ description: 'Of the event in the request.' }),
    path: z.string().meta({ examples: ['Web->Edge'] }),
    log: z.string(),
    host: z.string(),
    template: z
      .string()
      .nullable()
      .meta({ description: 'Tried at the message; null: there is none of its type.' }),
    pattern: count.nullable().meta({
      description: 'Which pattern of the template fits, from 1; 0: none; null: no template.',
    }),
    columns: z.record(z.string(), z.string()),
    time: z.string().meta({ description: 'ISO 8601 in UTC.' }),
  })
  .meta({ id: 'ExplainedEvent' })

export const ingestAnswer = z
  .strictObject({
    text: z.string().meta({ description: 'Success, or what is wrong.' }),
    code: z.union([0, 4, 5, 6, 8, 9].map((code) => z.literal(code))).meta({
      description: '0 success, 4 token, 5 no data, 6 invalid format, 8 internal, 9 busy.',
    }),
    received: count,
    accepted: count,
    rejected: count,
    errors: z
      .array(z.strictObject({ index: count, code: z.enum(REJECTION_CODES), message: z.string() }))
      .meta({ description: 'Rejected events, at most 100.' }),
    receipt: z
      .string()
      .optional()
      .meta({ description: 'Where something was stored: code 0 without debug.' }),
    debug: z.literal(true).optional().meta({ description: 'With debug=1: nothing was stored.' }),
    events: z
      .array(explainedEvent)
      .optional()
      .meta({ description: 'With debug=1: where the accepted events would go, at most 1,000.' }),
  })
  .meta({ id: 'IngestAnswer' })
