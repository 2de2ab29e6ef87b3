// What the commands for listener accounts have in common.
import { z } from 'zod'
import { objectNameSchema } from '../users.ts'
import { argument } from './argument.ts'

export const accountName = argument(objectNameSchema, {
  description: 'name of the listener account; letter case does not tell two apart',
  hint: '<name>',
})

export const accountAnswer = z.strictObject({
  name: z.string(),
  /** Rises with every change. */
  version: z.number(),
  enabled: z.boolean(),
  parentFolder: z.string(),
})
