// What the commands for accounts have in common.
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

/** Listener accounts and accounts of the address book have one name space. */
export const anyAccountName = argument(objectNameSchema, {
  description: 'name of the account; letter case does not tell two apart',
  hint: '<name>',
})

export const anyAccountAnswer = z.strictObject({
  name: z.string(),
  kind: z.string(),
  version: z.number(),
  enabled: z.boolean(),
})
