// Shows what patterns make of sample lines (docs/reference/patterns.md).
import { z } from 'zod'
import { ONLY_READS } from '../rights/sees.ts'
import { argument, type CommandEntry } from './argument.ts'
import { patternsValue, sampleValue } from './sample.ts'

const columnSchema = z.strictObject({
  name: z.string(),
  text: z.string(),
  kind: z.enum(['text', 'number', 'time']),
  time: z.string().optional(),
  ftype: z.string().optional(),
})

export const verifyPattern = {
  name: 'verifyPattern',
  help: 'Shows what each column of a pattern gets from sample lines, and where a line stops fitting. Nothing is stored.',
  operation: 'data.listeners',
  sees: ONLY_READS,
  target: 'pattern',
  input: z.strictObject({
    pattern: argument(patternsValue, {
      description: 'the pattern; several with @#@# between them, the first that fits counts',
      hint: '{ip:Remote IP} {text:Message}',
    }),
    files: argument(sampleValue, {
      description:
        'file with sample lines; - for standard input; the first 256 KiB and 1,000 lines count',
      hint: '<file>',
      isFile: true,
    }),
  }),
  answer: z.strictObject({
    events: z.number(),
    fitting: z.number(),
    /** After those of `results`, not looked at: too many, or too much work. */
    linesLeft: z.number(),
    results: z
      .array(
        z.strictObject({
          /** Of its first line, from 1. */
          line: z.number(),
          /** Which pattern fits, from 1; 0: none. */
          pattern: z.number(),
          columns: z.array(columnSchema).readonly(),
          stop: z
            .strictObject({
              /** Character of the event, from 1. */
              at: z.number(),
              pattern: z.number(),
              expected: z.string(),
              found: z.string(),
            })
            .optional(),
        }),
      )
      .readonly(),
  }),
} as const satisfies CommandEntry
