// The envelope of all restapi and SDK answers (decision 5.3).
import { isFailure } from '../schemas/failures.ts'

const JSON_CONTENT_TYPE = 'application/json; charset=utf-8'
/** Goes with every 401. */
export const BASIC_CHALLENGE = 'Basic realm="logeye", charset="UTF-8"'

export function envelope(response: unknown): Response {
  return json({ success: true, errorMessage: null, response, httpStatusCode: 200 }, 200)
}

export function failedEnvelope(status: number, errorMessage: string): Response {
  return json({ success: false, errorMessage, response: null, httpStatusCode: status }, status)
}

/** Of anything thrown; only failures of the caller's making and of engines say what they are. */
export function envelopeOf(error: unknown): Response {
  if (!isFailure(error)) return failedEnvelope(500, 'internal error')
  const { status } = error.entry
  return failedEnvelope(status, status === 500 ? 'internal error' : error.message)
}

function json(body: unknown, status: number): Response {
  const headers = new Headers({ 'content-type': JSON_CONTENT_TYPE })
  if (status === 401) headers.set('www-authenticate', BASIC_CHALLENGE)
  if (status === 503) headers.set('retry-after', '1')
  return new Response(`${JSON.stringify(body)}\n`, { status, headers })
}
