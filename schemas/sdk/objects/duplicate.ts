// Makes a second object like one.
import { z } from 'zod'
import { objectReportSchema } from '../../object-report.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { objectTypeArgument } from '../object-arguments.ts'
import { textValue } from '../values.ts'

export const duplicate = {
  name: 'duplicate',
  help: 'Makes a new object with the arguments of another. Refused for one that cannot be made without a secret: export it, and import it with the secret.',
  operation: 'objects',
  sees: { kind: 'objects' },
  target: 'name',
  input: z.strictObject({
    type: objectTypeArgument,
    name: argument(textValue, { description: 'its name, as list tells it', hint: '<name>' }),
    newName: argument(textValue, {
      description: 'name of the new one; of a folder or a log the whole path',
      hint: '<name>',
    }),
  }),
  answer: objectReportSchema,
} as const satisfies CommandEntry
