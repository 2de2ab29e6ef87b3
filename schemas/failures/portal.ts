// The portal (decision 9.1): the part after the dot is the `code` of a problem.
import type { FailuresOf } from './failure-entry.ts'

export const PORTAL_FAILURES = {
  'portal.invalid_request': { status: 400, message: 'the request is not as documented' },
  'portal.invalid_json': { status: 400, message: 'the body is not JSON' },
  'portal.invalid_cursor': {
    status: 400,
    message: 'the cursor is not one of this list: begin again without it',
  },
  'portal.invalid_idempotency_key': {
    status: 400,
    message:
      'the header Idempotency-Key takes 1 to 255 visible characters, bare or in quotation marks',
  },
  'portal.unauthenticated': {
    status: 401,
    message: 'the call needs a credential that is known and in force',
  },
  'portal.sign_in_failed': {
    status: 401,
    message: 'e-mail address, password or code of the second factor is wrong',
  },
  'portal.forbidden': { status: 403, message: 'this credential may not make this call' },
  'portal.approval_needed': {
    status: 403,
    message:
      'plan or credits are above the limits of the price book: an operator of the vendor has to send the offer',
  },
  'portal.insufficient_scope': { status: 403, message: 'the API key lacks the scope {scope}' },
  'portal.csrf': {
    status: 403,
    message: 'the header X-CSRF-Token must hold the token that came with the session',
  },
  'portal.not_found': { status: 404, message: 'there is no such {what}' },
  'portal.organization_needed': {
    status: 400,
    message: 'say in the header X-Organization-Id for which organization the call acts',
  },
  'portal.method_not_allowed': { status: 405, message: 'the methods allowed here are {methods}' },
  'portal.exists': { status: 409, message: 'the {what} {name} is there already' },
  'portal.not_empty': {
    status: 409,
    message: 'this portal has data: the demo fills an empty one alone',
  },
  'portal.too_many': {
    status: 409,
    message: 'at most {limit} {what} are possible: remove one first',
  },
  'portal.too_large': { status: 413, message: 'the body is larger than {limit} bytes' },
  'portal.unsupported_media_type': { status: 415, message: 'the body must be {type}' },
  'portal.idempotency_key_reused': {
    status: 422,
    message: 'this Idempotency-Key came with another body before',
  },
  'portal.rate_limited': {
    status: 429,
    retriable: true,
    message: 'too many calls: wait {seconds} seconds',
  },
  'portal.link_ended': {
    status: 403,
    message: 'the link was used, or has ended: ask for another',
  },
  'portal.no_mail': {
    status: 409,
    message: 'this portal sends no mail: LOGEYE_PORTAL_MAIL_URL is not set',
  },
  'portal.not_bookable': { status: 422, message: '{reason}' },
  'portal.license_revoked': { status: 403, message: 'the licence was revoked' },
  'portal.price_book_refused': {
    status: 422,
    message: 'the price book contradicts itself: errors says where',
  },
  'portal.price_book_fixed': {
    status: 409,
    message: 'the price book {name} has a version {version} already: give the change a new one',
  },
  'portal.cannot_be_priced': {
    status: 422,
    message: 'it cannot be priced: errors says why',
  },
  'portal.offer_incomplete': {
    status: 422,
    message: 'the offer cannot be sent yet: errors says what it lacks',
  },
  'portal.offer_decided': {
    status: 409,
    message: 'the offer is {state}: this is for one that is {wanted}',
  },
  'portal.license_changed': {
    status: 409,
    message: 'the licences have changed since the offer was sent: ask for another offer',
  },
  'portal.invalid_upload': {
    status: 400,
    message: 'the multipart body is not as documented: {reason}',
  },
  'portal.file_refused': { status: 415, message: 'the file is not taken: {reason}' },
  'portal.too_many_attachments': {
    status: 409,
    message: 'the offer has {limit} attachments: take one away first',
  },
  'portal.range_not_satisfiable': {
    status: 416,
    message: 'the range begins behind the end of the file, which has {bytes} bytes',
  },
  'portal.files_unavailable': {
    status: 503,
    retriable: true,
    message: 'the portal cannot reach its files',
  },
  'portal.webhook_disabled': {
    status: 409,
    message: 'the webhook is disabled: enable it first',
  },
  'portal.internal': { status: 500, message: 'internal error' },
  'portal.unavailable': {
    status: 503,
    retriable: true,
    message: 'the portal cannot reach its database',
  },
} as const satisfies FailuresOf<'portal'>
