// Takes up an archive of another product (docs/decisions/0108).
import { z } from 'zod'
import { archiveAnswer } from '../../archive/archive-answer.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { textValue } from '../values.ts'

export const adoptArchive = {
  name: 'adoptArchive',
  help: 'Takes up an archive that another product wrote, so that it can be thawed here, into logs of the same paths. Its manifest is read within a minute. Its objects are never changed.',
  operation: 'system.operate',
  sees: { kind: 'act' },
  target: 'entry',
  input: z
    .strictObject({
      directory: argument(textValue.optional(), {
        description: 'folder of the archive, or prefix in the bucket of the account',
        hint: '<directory>',
      }),
      account: argument(textValue.optional(), {
        description: 'S3 account of the address book; default: a folder',
        hint: '<name>',
      }),
      entry: argument(
        z
          .string()
          .regex(
            /^\d{4}-\d\d-\d\d\/archive-\d{1,15}-[0-9a-f]{1,32}$/,
            'must be <day>/<entry>, as listArchives of the other product shows them',
          ),
        { description: 'which archive there', hint: '2026-03-01/archive-7-0a1b2c3d4e5f' },
      ),
    })
    .superRefine(({ directory = '', account = '' }, context) => {
      if (directory === '' && account === '')
        context.addIssue({ code: 'custom', path: ['directory'], message: 'is missing' })
    }),
  answer: archiveAnswer,
} as const satisfies CommandEntry
