// One object as a file.
import { z } from 'zod'
import { ONLY_READS } from '../../rights/sees.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { objectTypeArgument } from '../object-arguments.ts'
import { textValue } from '../values.ts'

export const exportObject = {
  name: 'exportObject',
  help: 'Writes one object in YAML, for importObject and apply: the arguments of its command, without secrets, which are named.',
  operation: 'objects',
  sees: ONLY_READS,
  target: 'name',
  input: z.strictObject({
    type: objectTypeArgument,
    name: argument(textValue, { description: 'its name, as list tells it', hint: '<name>' }),
  }),
  /** The file. */
  answer: z.string(),
} as const satisfies CommandEntry
