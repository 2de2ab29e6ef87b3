// Shows the legal holds.
import { z } from 'zod'
import { ONLY_READS } from '../../rights/sees.ts'
import type { CommandEntry } from '../argument.ts'
import { legalHold } from './legal-hold.ts'

export const listHolds = {
  name: 'listHolds',
  help: 'Shows the legal holds.',
  operation: 'system.operate',
  sees: ONLY_READS,
  target: '',
  input: z.strictObject({}),
  answer: z.strictObject({ holds: z.array(legalHold) }),
} as const satisfies CommandEntry
