// Answers of health, version and of what fails outside the JSON interface, for the OpenAPI
// document. Tests hold the answers to them.
import { z } from 'zod'
import { DAMAGE_KINDS } from '../keep/store-damage.ts'

export const liveAnswer = z.strictObject({ live: z.literal(true) }).meta({ id: 'Live' })

const damageItem = z.strictObject({
  kind: z.enum(DAMAGE_KINDS),
  day: z.string().nullable().meta({ description: 'Of receipt, UTC; null: not known.' }),
  log: z
    .string()
    .nullable()
    .meta({ description: 'For callers that may read the metrics; null: not known, or not told.' }),
  events: z.int(),
  message: z.string(),
})

const readiness = z.enum(['ready', 'missing'])

export const readyAnswer = z
  .strictObject({
    ready: z.boolean(),
    engines: z
      .record(z.string(), readiness)
      .meta({ description: 'eventLog, store, database: those that some process uses.' }),
    processes: z
      .record(z.string(), z.record(z.string(), z.boolean()))
      .meta({ description: 'Parts by process.' }),
    damage: z
      .strictObject({ events: z.int(), items: z.array(damageItem) })
      .optional()
      .meta({ description: 'Of the store; absent without any. At most a hundred items.' }),
    collecting: z
      .strictObject({
        logs: z.int(),
        items: z.array(z.strictObject({ log: z.string(), fault: z.string() })),
      })
      .optional()
      .meta({
        description:
          'Logs whose files cannot be read; absent without any. Named for callers that may read the metrics, at most a hundred.',
      }),
    license: z.strictObject({ warning: z.string() }).optional().meta({
      description: 'Of the licence; absent where there is nothing to say. Nothing stops.',
    }),
  })
  .meta({ id: 'Readiness' })

export const versionAnswer = z
  .strictObject({
    success: z.literal(true),
    errorMessage: z.null(),
    response: z.strictObject({ name: z.literal('logeye'), version: z.string() }),
    httpStatusCode: z.literal(200),
  })
  .meta({ id: 'Version' })

export const failedEnvelopeAnswer = z
  .strictObject({
    success: z.literal(false),
    errorMessage: z.string(),
    response: z.null(),
    httpStatusCode: z.int(),
  })
  .meta({ id: 'FailedEnvelope' })
