// The headers of every answer that is text, whatever its style.
import { BASIC_CHALLENGE } from '../../infra/access/basic-challenge.ts'

const RETRY_AFTER_S = '1'

export const JSON_TYPE = 'application/json; charset=utf-8'

export function makeAnswer(body: string, given: { status: number; type: string }): Response {
  const { status, type } = given
  const headers = new Headers({ 'content-type': type })
  if (status === 401) headers.set('www-authenticate', BASIC_CHALLENGE)
  if (status === 429 || status === 503) headers.set('retry-after', RETRY_AFTER_S)
  return new Response(body, { status, headers })
}
