// Names of configurable objects.
import { z } from 'zod'
import { argument, type CommandEntry } from '../argument.ts'
import { objectTypeArgument } from '../object-arguments.ts'
import { textValue } from '../values.ts'

export const list = {
  name: 'list',
  help: 'Lists the objects of one type by name: those that the caller may know of.',
  operation: 'objects',
  target: 'type',
  input: z.strictObject({
    type: objectTypeArgument,
    names: argument(textValue.optional(), {
      description: 'only these: * stands for any characters, ? for one; letter case does not count',
      hint: 'web*',
    }),
  }),
  answer: z.strictObject({
    objects: z.array(
      z.strictObject({
        name: z.string(),
        /** Built in, or made by data that came in. */
        origin: z.enum(['operator', 'product', 'data']),
      }),
    ),
  }),
} as const satisfies CommandEntry
