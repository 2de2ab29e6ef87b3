// Makes or changes one object from a file.
import { z } from 'zod'
import { configurationAnswerSchema } from '../../object-report.ts'
import type { CommandEntry } from '../argument.ts'
import {
  configurationFileArgument,
  dryRunArgument,
  environmentArgument,
} from '../object-arguments.ts'

export const importObject = {
  name: 'importObject',
  help: 'Makes the one object of a file, or changes the one of its name; done again, it changes nothing. Secrets count for a new object only.',
  operation: 'objects',
  sees: { kind: 'objects' },
  target: '',
  input: z.strictObject({
    file: configurationFileArgument,
    dryRun: dryRunArgument,
    environment: environmentArgument,
  }),
  answer: configurationAnswerSchema,
} as const satisfies CommandEntry
