// How a surface says that something failed.
import type { Contents, Refusal } from '../../infra/http/routes/route.ts'

export type FailureShape = {
  /** Of anything thrown; of what nobody could name it says nothing. `timeoutMs`: what the
   *  caller was given. */
  readonly answer: (error: unknown, timeoutMs: number) => Response
  /** Of what the route table refuses before any call is made. */
  readonly refuse: (refusal: Refusal) => Response
  /** Of the body of a refusal, for the OpenAPI document. */
  readonly refusalContent: Contents
}

export function describeRefusal(refusal: Refusal): string {
  switch (refusal.kind) {
    case 'unknown_path':
      return 'not found'
    case 'other_method':
      return `the methods allowed here are ${refusal.allowed.join(', ')}`
    case 'too_large':
      return `the body is larger than ${refusal.maxBytes} bytes`
  }
}
