// Names of configurable objects.
import { z } from 'zod'
import { ONLY_READS } from '../../rights/sees.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { objectTypeArgument } from '../object-arguments.ts'
import { flagValue, textValue } from '../values.ts'

export const list = {
  name: 'list',
  help: 'Lists the objects of one type by name: those that the caller may know of.',
  operation: 'objects',
  sees: ONLY_READS,
  target: 'type',
  input: z.strictObject({
    type: objectTypeArgument,
    names: argument(textValue.optional(), {
      description: 'only these: * stands for any characters, ? for one; letter case does not count',
      hint: 'web*',
    }),
    details: argument(flagValue.optional(), {
      description: 'true: with the arguments of each, as exportObject writes them',
      hint: 'true|false',
      isFlag: true,
    }),
  }),
  answer: z.strictObject({
    objects: z.array(
      z.strictObject({
        name: z.string(),
        /** Built in, or made by data that came in. */
        origin: z.enum(['operator', 'product', 'data']),
        /** With -details: those of its command, without secrets. */
        arguments: z.record(z.string(), z.string()).optional(),
        /** With -details, where it is so: the caller may not change it, since it is about events
         *  that he may not view. */
        isFixed: z.literal(true).optional(),
        /** With -details: names of those that are left out. */
        secrets: z.array(z.string()).optional(),
      }),
    ),
  }),
} as const satisfies CommandEntry
