// Shows whether the audit log and finished days are as they were signed (docs/decisions/0111).
import { z } from 'zod'
import { ONLY_READS } from '../../rights/sees.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { textValue } from '../values.ts'

const count = z.number()
const MAX_HEAD_CHARACTERS = 100_000
const DAY = /^\d{4}-\d{2}-\d{2}$/
const dayValue = textValue.regex(DAY, 'must be a day: 2026-12-31')

export const verify = {
  name: 'verify',
  help: 'Compares the audit log, the events of finished days and the files of the store with the signed evidence, and names what was changed: which entry, which log, day and collection policy, rows expected and found.',
  operation: 'system.operate',
  sees: ONLY_READS,
  target: '',
  input: z.strictObject({
    startDay: argument(dayValue.optional(), {
      description: 'first day of receipt (UTC) whose events are read; default all',
      hint: '<yyyy-mm-dd>',
    }),
    endDay: argument(dayValue.optional(), {
      description: 'last one',
      hint: '<yyyy-mm-dd>',
    }),
    head: argument(z.string().max(MAX_HEAD_CHARACTERS, 'is too long for one').optional(), {
      description:
        'the end of the chain as it was sent away: shows whether the chain was cut since',
      hint: '<text>',
    }),
  }),
  answer: z.strictObject({
    isUnchanged: z.boolean(),
    findings: z.array(
      z.strictObject({
        /** audit, evidence, unit (events of a day), files. */
        what: z.string(),
        /** Number of the entry of the audit log or the evidence. */
        entry: count.nullable(),
        day: z.string().nullable(),
        policy: z.string().nullable(),
        /** '' for what the caller may not view. */
        log: z.string().nullable(),
        rowsExpected: count.nullable(),
        rowsFound: count.nullable(),
        text: z.string(),
      }),
    ),
    notes: z.array(z.string()),
    evidenceEntries: count,
    signedThrough: count,
    auditEntries: count,
    days: count,
    events: count,
    parts: count,
    publicKey: z.string(),
  }),
} as const satisfies CommandEntry
