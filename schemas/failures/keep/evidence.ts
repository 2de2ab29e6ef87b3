// Tamper evidence (docs/decisions/0111).
import type { FailuresOf } from '../failure-entry.ts'

export const EVIDENCE_FAILURES = {
  'evidence.key': {
    status: 503,
    message:
      'the key that signs the evidence cannot be decrypted: its row in the database was changed, or the key file is another',
  },
  'evidence.none': {
    status: 409,
    message:
      'there is no evidence yet: it begins within a minute of the start of the role scheduler',
  },
  'evidence.head': {
    status: 400,
    message: 'the head is no end of a chain that this server signed: {reason}',
  },
  'evidence.file': { status: 400, message: 'the file {file} is no exported evidence: {reason}' },
} as const satisfies FailuresOf<'evidence'>
