// Accounts, users, groups, policies, folders and logs: what cannot be done with them, whichever
// surface asked. Each names the object by kind and name. A surface adds what its reader can do
// (`details.hint`, docs/decisions/0033).
import type { FailuresOf } from './failure-entry.ts'

export const OBJECT_FAILURES = {
  'object.exists': { status: 409, message: 'the {kind} {name} exists already' },
  'object.looks_alike': {
    status: 409,
    message: 'the {kind} {name} exists already, and "{given}" looks like it',
  },
  /** Of kinds whose objects may be hidden from the caller: the other one is not named. */
  'object.looks_like_another': {
    status: 409,
    message: 'the name "{given}" looks like that of another {kind}',
  },
  'object.not_found': { status: 404, message: 'there is no {kind} {name}' },
  /** `value` is the one that was given. */
  'object.invalid': { status: 400, message: '{property} of the {kind}: {reason}' },
  'object.name_taken': {
    status: 409,
    message: 'the name {name} is that of the {kind}: accounts of all kinds have different names',
  },
  'object.changed': {
    status: 409,
    retriable: true,
    message: 'the {kind} {name} was changed at the same time: try again',
  },
  'object.not_verified': { status: 409, message: 'the {kind} {name} is not verified: {reason}' },
  'object.built_in': {
    status: 409,
    message: 'the {kind} {name} is built in and cannot be changed',
  },
  /** `users`: what of it the caller may see. */
  'object.in_use': { status: 409, message: 'the {kind} {name} is in use: {users}' },
  'object.too_many': {
    status: 409,
    message: 'there are {max} of the kind {kind}, and no more can be made',
  },
  'object.circular': { status: 409, message: 'the {kind} {name} would hold itself' },
  'object.last_administrator': {
    status: 409,
    message: 'the last enabled administrator cannot be removed',
  },
} as const satisfies FailuresOf<'object'>
