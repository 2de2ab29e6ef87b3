// A typed client of the portal: paths, parameters, bodies and answers as the document of its API
// says (portal-api.ts, which is generated of it). A call gives `data` or `error`, and throws only
// when no answer came.
import createClient from 'openapi-fetch'
import type { components, paths } from './portal-api.ts'

export type Problem = components['schemas']['Problem']

/** `token`: a licence key, a deployment's token, a session or an operator's token. */
export function createPortalClient(of: { readonly url: string; readonly token?: string }) {
  const { url, token } = of
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  return createClient<paths>({ baseUrl: url, headers })
}

/** The data of an answer; throws what the portal said of a call that failed. */
export function dataOf<Data>(answer: {
  readonly data?: Data
  readonly error?: Problem | string
}): Data {
  const { data, error } = answer
  if (data !== undefined) return data
  throw new Error(
    typeof error === 'object' ? `${error.code}: ${error.message}` : `no data: ${error ?? ''}`,
  )
}
