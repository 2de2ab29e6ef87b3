// Makes the configuration what a file says.
import { z } from 'zod'
import { configurationAnswerSchema } from '../../object-report.ts'
import { argument, type CommandEntry } from '../argument.ts'
import {
  configurationFileArgument,
  dryRunArgument,
  environmentArgument,
} from '../object-arguments.ts'
import { flagValue } from '../values.ts'

export const apply = {
  name: 'apply',
  help: 'Makes the configuration what a file says. All of it is checked first, the client shows the plan, and all of it is done or nothing; done again, it changes nothing. Secrets count for new objects only.',
  operation: 'objects',
  sees: { kind: 'objects' },
  target: '',
  input: z.strictObject({
    file: configurationFileArgument,
    dryRun: dryRunArgument,
    prune: argument(flagValue.optional(), {
      description:
        'true: of the types that the file names, removes what is not in it; what is built in or came with data stays',
      hint: 'true|false',
      isFlag: true,
    }),
    environment: environmentArgument,
    plan: argument(z.string().optional(), {
      description: 'the plan that a dry run has told: refused where it is another one by now',
      hint: '<plan>',
    }),
  }),
  answer: configurationAnswerSchema,
} as const satisfies CommandEntry
