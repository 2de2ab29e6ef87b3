// Removes an object of a type that has no command for it.
import { z } from 'zod'
import { OBJECT_TYPES } from '../../object-types.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { objectTypeArgument } from '../object-arguments.ts'
import { textValue } from '../values.ts'

export const removeObject = {
  name: 'removeObject',
  help: 'Removes an object of a type that has no command of its own for it; for the others it names the command.',
  operation: 'objects',
  sees: { kind: 'objects' },
  target: 'name',
  input: z.strictObject({
    type: objectTypeArgument,
    name: argument(textValue, { description: 'its name, as list tells it', hint: '<name>' }),
  }),
  answer: z.strictObject({
    type: z.enum(OBJECT_TYPES),
    name: z.string(),
    removed: z.literal(true),
  }),
} as const satisfies CommandEntry
