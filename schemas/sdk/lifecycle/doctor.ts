// Looks for what is wrong with the product and its machine; changes nothing.
import { z } from 'zod'
import { ONLY_READS } from '../../rights/sees.ts'
import type { CommandEntry } from '../argument.ts'

export const doctor = {
  name: 'doctor',
  help: 'Looks for what is wrong with the product and the machine that answers, and says what to do. Changes nothing.',
  operation: 'system.operate',
  sees: ONLY_READS,
  target: '',
  input: z.strictObject({}),
  answer: z.strictObject({
    /** False: an operator has to do something now. */
    healthy: z.boolean(),
    /** In the order of the checks; several of one check, or none. */
    findings: z.array(
      z.strictObject({
        grade: z.enum(['bad', 'warn', 'ok']),
        check: z.string(),
        text: z.string(),
        /** What to do. */
        advice: z.string().optional(),
      }),
    ),
  }),
} as const satisfies CommandEntry
