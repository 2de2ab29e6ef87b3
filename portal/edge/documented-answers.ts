// What every call of the portal may answer, and the headers of its answers, for the document.
import { z } from 'zod'
import type { RouteAnswer } from '../../infra/http/routes/route.ts'
import { PROBLEM_CONTENT } from './problem.ts'

export const PATH_VALUE = z.string().min(1).max(100)

const text = (description: string) => z.string().meta({ description })

export const RATE_HEADERS = {
  'X-Request-Id': text('Of this call; name it when you ask for help.'),
  'RateLimit-Policy': text('`"calls";q=<calls>;w=60`.'),
  RateLimit: text('`"calls";r=<left>;t=<seconds until the minute ends>`.'),
}

/** Of a page of a list. */
export const PAGE_HEADERS = {
  Link: text('`<path of the next page>; rel="next"`; absent at the last page.'),
}

const RETRY_AFTER = {
  'Retry-After': z.unknown().meta({ description: 'Seconds.', type: 'integer' }),
}

const failed = (name: string, description: string, headers = {}): RouteAnswer => ({
  name,
  description,
  headers: { ...RATE_HEADERS, ...headers },
  content: PROBLEM_CONTENT,
})

export const FAILED_ANSWERS: Readonly<Record<number, RouteAnswer>> = {
  400: failed('BadRequest', 'The request is not as documented; `errors` says where.'),
  401: failed('NotSignedIn', 'No credential, or one that is unknown, ended or revoked.', {
    'WWW-Authenticate': text('Bearer.'),
  }),
  403: failed('NotAllowed', 'This credential may not make this call.'),
  404: failed('NotFound', 'There is no such object, for this caller.'),
  409: failed('Conflict', 'It does not fit what is there.'),
  415: failed('UnsupportedMediaType', 'The body has another media type.'),
  422: failed(
    'CannotBeDone',
    'Idempotency-Key came with another body before, or it cannot be done.',
  ),
  429: failed('TooManyCalls', 'Too many calls.', RETRY_AFTER),
  503: failed('NotAvailable', 'The database is away.', RETRY_AFTER),
}
