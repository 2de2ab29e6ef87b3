// Reads an archive whole (docs/decisions/0108).
import { z } from 'zod'
import { archiveAnswer } from '../../archive/archive-answer.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { wholeNumberValue } from '../values.ts'

export const verifyArchive = {
  name: 'verifyArchive',
  help: 'Has every object of an archive read and compared with its checksum, within a minute or some. Then listArchives shows `verifiedAt`, or in `fault` what is damaged.',
  operation: 'system.operate',
  sees: { kind: 'nothing', because: 'it compares the events at the place of their archive' },
  target: 'archive',
  input: z.strictObject({
    archive: argument(wholeNumberValue(1, Number.MAX_SAFE_INTEGER), {
      description: 'number of the archive, as listArchives shows it',
      hint: '7',
    }),
  }),
  answer: archiveAnswer,
} as const satisfies CommandEntry
