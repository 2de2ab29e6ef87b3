// Rights (decision 7.1).
import type { FailuresOf } from './failure-entry.ts'

export const RIGHTS_FAILURES = {
  'rights.missing': { status: 403, search: 1, message: 'this user may not do that' },
  /** Docs/decisions/0044. */
  'rights.exceeded': {
    status: 403,
    message: 'nobody can give or take rights that he lacks: this user lacks {right}',
  },
  /** Docs/decisions/0138. */
  'rights.path': {
    status: 403,
    message:
      '{argument}: {path} is outside the directories in {setting}: only an administrator can set it',
  },
  /** Docs/decisions/0137. */
  'rights.unseen': {
    status: 403,
    search: 1,
    message: 'this is about events or alerts that this user may not view or edit: {what}',
  },
  'rights.not_editable': { status: 403, message: 'this user may not edit the {kind} {name}' },
} as const satisfies FailuresOf<'rights'>
