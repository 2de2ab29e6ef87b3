// Answers of health, version and of what fails outside the JSON interface, for the OpenAPI document. Tests hold the answers to them.
import { z } from 'zod'

export const liveAnswer = z.strictObject({ live: z.literal(true) }).meta({ id: 'Live' })

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
