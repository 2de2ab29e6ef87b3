// What became of an object of a configuration.
import { z } from 'zod'
import { OBJECT_TYPES } from './object-types.ts'

export const objectReportSchema = z.strictObject({
  type: z.enum(OBJECT_TYPES),
  name: z.string(),
  done: z.enum(['made', 'changed', 'unchanged', 'removed']),
  changes: z
    .array(z.strictObject({ field: z.string(), from: z.string(), to: z.string() }))
    .optional(),
  /** Shown this once, such as a token. */
  shownOnce: z.record(z.string(), z.string()).optional(),
  notes: z.array(z.string()),
})

export type ObjectReport = Readonly<z.infer<typeof objectReportSchema>>

export const configurationAnswerSchema = z.strictObject({
  /** Nothing was done: this is what would be. */
  dryRun: z.boolean(),
  /** Names the plan, for -plan. */
  plan: z.string(),
  made: z.number(),
  changed: z.number(),
  unchanged: z.number(),
  removed: z.number(),
  /** Without the unchanged ones. */
  objects: z.array(objectReportSchema),
})

export type ConfigurationAnswer = Readonly<z.infer<typeof configurationAnswerSchema>>
