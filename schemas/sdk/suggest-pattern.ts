// Makes a pattern from sample lines (docs/reference/patterns.md).
import { z } from 'zod'
import { ONLY_READS } from '../rights/sees.ts'
import { argument, type CommandEntry } from './argument.ts'
import { sampleValue } from './sample.ts'

export const suggestPattern = {
  name: 'suggestPattern',
  help: 'Suggests a pattern for sample lines, or the built-in template that fits them, and says how many fit. Nothing is stored.',
  operation: 'data.listeners',
  sees: ONLY_READS,
  target: 'files',
  input: z.strictObject({
    files: argument(sampleValue, {
      description: 'file with sample lines, of which the first 100 count; - for standard input',
      hint: '<file>',
      isFile: true,
    }),
  }),
  answer: z.strictObject({
    /** For verifyPattern: several have @#@# between them. */
    pattern: z.string(),
    /** '' for none. */
    template: z.string(),
    events: z.number(),
    fitting: z.number(),
  }),
} as const satisfies CommandEntry
