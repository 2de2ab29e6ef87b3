// The parameters of a call: those of the address, then those of a form body (decision 4.3).
import { Failure } from '../../schemas/failures.ts'

export type RequestPairs = {
  readonly pairs: readonly (readonly [string, string])[]
  /** A body that is no form; thrown only after sign-in. */
  readonly refusal: Failure | undefined
}

const FORM = 'application/x-www-form-urlencoded'

export async function readPairs(request: Request): Promise<RequestPairs> {
  const pairs = [...new URL(request.url).searchParams]
  if (request.method !== 'POST') return { pairs, refusal: undefined }
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  const body = await request.text()
  if (body === '') return { pairs, refusal: undefined }
  if (type !== FORM) {
    const reason = `a body must be ${FORM}`
    return {
      pairs,
      refusal: new Failure('search.parameter', { parameter: 'Content-Type', reason }),
    }
  }
  return { pairs: [...pairs, ...new URLSearchParams(body)], refusal: undefined }
}
