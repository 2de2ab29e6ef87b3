// Sign-in (decision 7.1).
import type { FailuresOf } from './failure-entry.ts'

export const SIGN_IN_FAILURES = {
  'sign_in.failed': { status: 401, search: 1, message: 'sign-in failed' },
  'sign_in.token_needed': {
    status: 401,
    search: 1,
    message: 'this user has a second factor: sign in with an API token or a session',
  },
  'sign_in.code_needed': {
    status: 401,
    message: 'a code of the second factor is needed',
  },
  /** What takes a lock off needs its key once more. */
  'sign_in.fresh_needed': {
    status: 403,
    message: 'sign in again with a code of the second factor, and do it within {minutes} minutes',
  },
  'sign_in.no_provider': { status: 404, message: 'no identity provider is configured' },
  'sign_in.provider_away': {
    status: 503,
    message: 'the identity provider does not answer, or not as one does',
  },
  'sign_in.provider_refused': {
    status: 401,
    message: 'the identity provider did not sign the user in, or its answer cannot be believed',
  },
  'sign_in.other_browser': {
    status: 401,
    message: 'the sign-in was not begun in this browser within 10 minutes: begin it again',
  },
  'sign_in.no_claim': {
    status: 403,
    message: 'the identity provider says no {claim}, which is to be the name of the user',
  },
  'sign_in.bad_claim': {
    status: 403,
    message: 'the {claim} of the identity provider names no user here: {reason}',
  },
  'sign_in.no_user': {
    status: 403,
    message: 'there is no user {name}: an administrator must add it with -signIn oidc',
  },
  'sign_in.name_taken': {
    status: 403,
    message: 'the user {name} is somebody else here: an administrator must rename one of the two',
  },
  'sign_in.no_session': { status: 409, message: 'this call has no session' },
  'sign_in.none_waits': {
    status: 404,
    message: 'no other sign-in waits for this session: open the link again',
  },
  /** A token never makes what outlives it. */
  'sign_in.not_by_token': {
    status: 403,
    message: 'a token may not do this: sign in with the password or a session',
  },
  'sign_in.nobody': {
    status: 409,
    message: 'security is off: there is no user to do this for',
  },
  'sign_in.slowed': {
    status: 401,
    search: 1,
    message: 'too many failed sign-ins, try again later',
  },
  'sign_in.busy': {
    status: 503,
    search: 1,
    retriable: true,
    message: 'too many sign-ins at this moment, try again',
  },
} as const satisfies FailuresOf<'sign_in'>
