// Shows archives and thaws (docs/decisions/0108).
import { z } from 'zod'
import { archiveAnswer } from '../../archive/archive-answer.ts'
import { ONLY_READS } from '../../rights/sees.ts'
import { objectNameSchema } from '../../users.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { wholeNumberValue } from '../values.ts'

export const listArchives = {
  name: 'listArchives',
  help: 'Shows archived days, newest archive first, and which of them are thawed, until when.',
  operation: 'system.operate',
  sees: ONLY_READS,
  target: '',
  input: z.strictObject({
    policy: argument(objectNameSchema.optional(), {
      description: 'name of the policy that they are of; default: all',
      hint: '<name>',
    }),
    top: argument(wholeNumberValue(1, 10_000).optional(), {
      description: 'how many; default 100',
      hint: '100',
    }),
  }),
  answer: z.strictObject({ archives: z.array(archiveAnswer) }),
} as const satisfies CommandEntry
