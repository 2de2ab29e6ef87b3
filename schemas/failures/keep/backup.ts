// Backup and restore.
import type { FailuresOf } from '../failure-entry.ts'

export const BACKUP_FAILURES = {
  'backup.refused': { status: 409, message: 'no backup is made: {reason}' },
  'backup.failed': { status: 503, message: 'the backup failed: {reason}' },
  'backup.damaged': { status: 409, message: 'the backup cannot be used: {reason}' },
  'backup.not_restored': { status: 409, message: 'nothing is restored: {reason}' },
} as const satisfies FailuresOf<'backup'>
