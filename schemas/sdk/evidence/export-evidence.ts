// The evidence as a file that can be checked without the product (docs/decisions/0111).
import { z } from 'zod'
import { ONLY_READS } from '../../rights/sees.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { flagValue } from '../values.ts'

export const exportEvidence = {
  name: 'exportEvidence',
  help: "Writes the signed chain, for 'logeye verify-evidence' on any machine.",
  operation: 'system.operate',
  sees: ONLY_READS,
  target: '',
  input: z.strictObject({
    audit: argument(flagValue.optional(), {
      description: 'true: with the entries of the audit log, for those who may read it',
      hint: 'true|false',
    }),
  }),
  /** The file: a JSON object a line. */
  answer: z.string(),
} as const satisfies CommandEntry
