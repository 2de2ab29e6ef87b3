// Secrets of accounts and the file with their keys (docs/decisions/0047).
import type { FailuresOf } from './failure-entry.ts'

export const SECRETS_FAILURES = {
  'secrets.key_missing': {
    status: 503,
    message:
      "secrets of this database are encrypted with the key {key}, which {file} does not hold: bring that key file back, or copy it from the node that has it; if it is lost, run 'logeye rekey-secrets --accept-loss' and give the secrets again",
  },
  'secrets.key_file': { status: 503, message: 'the key file {file} cannot be used: {reason}' },
  'secrets.damaged': {
    status: 503,
    message: 'the secret {field} of the {kind} {name} cannot be decrypted: give it again',
  },
} as const satisfies FailuresOf<'secrets'>
