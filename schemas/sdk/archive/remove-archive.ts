// Removes an archive (docs/decisions/0108).
import { z } from 'zod'
import { archiveAnswer } from '../../archive/archive-answer.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { wholeNumberValue } from '../values.ts'

export const removeArchive = {
  name: 'removeArchive',
  help: 'Removes an archive with its objects, for good, within a minute. Refused while a legal hold keeps events of it, and while it is thawed. One that another product wrote is only forgotten: its objects stay.',
  operation: 'system.operate',
  sees: { kind: 'act' },
  target: 'archive',
  input: z.strictObject({
    archive: argument(wholeNumberValue(1, Number.MAX_SAFE_INTEGER), {
      description: 'number of the archive, as listArchives shows it',
      hint: '7',
    }),
  }),
  answer: archiveAnswer,
} as const satisfies CommandEntry
