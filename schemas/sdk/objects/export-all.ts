// The whole configuration as a file.
import { z } from 'zod'
import { ONLY_READS } from '../../rights/sees.ts'
import type { CommandEntry } from '../argument.ts'

export const exportAll = {
  name: 'exportAll',
  help: 'Writes the whole configuration in YAML, for apply. Left out are: secrets, which apply takes from the environment; what came with data; settings at their default; what the caller may not read, which the file says.',
  operation: 'objects',
  sees: ONLY_READS,
  target: '',
  input: z.strictObject({}),
  /** The file. */
  answer: z.string(),
} as const satisfies CommandEntry
