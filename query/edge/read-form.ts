// The pairs of the address, then those of a form body (decision 4.3).
import type { RouteCall } from '../../infra/http/routes/route.ts'

export const FORM = 'application/x-www-form-urlencoded'

export type Form = {
  readonly pairs: readonly (readonly [string, string])[]
  /** A body that is no form. */
  readonly other: { readonly type: string; readonly text: string } | undefined
}

export function readForm({ request, body }: Pick<RouteCall, 'request' | 'body'>): Form {
  const pairs = [...new URL(request.url).searchParams]
  if (body.length === 0) return { pairs, other: undefined }
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  const text = new TextDecoder().decode(body)
  return type === FORM
    ? { pairs: [...pairs, ...new URLSearchParams(text)], other: undefined }
    : { pairs, other: { type, text } }
}
