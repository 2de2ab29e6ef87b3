// What is a surface's own in a call: how it is read, where a name and a password may stand, and how
// it is answered. All else is the same for every surface (serve-call.ts).
import type { SignedIn } from '../../infra/access/signed-in.ts'
import type { RouteCall } from '../../infra/http/routes/route.ts'
import type { FailureShape } from './failure-shape.ts'

export type Given = {
  /** Of the address and a form, in which credentials may stand. */
  readonly pairs: readonly (readonly [string, string])[]
}

export type Surface<Read extends Given, Value> = {
  readonly read: (call: RouteCall) => Read
  readonly answer: (value: Value) => Response
  readonly failures: FailureShape
  /** Of what nobody could name: for the process log, and its code in the audit log. */
  readonly bug: { readonly phrase: string; readonly code: string }
  /** Among the searches of the metrics. */
  readonly isCounted: boolean
  /** A call in a session shows its CSRF token: default no. */
  readonly isWrite?: boolean
  /** A link on another site may lead here: default no. */
  readonly mayBeLinked?: boolean
}

export type EdgeCall<Read extends Given = Given> = RouteCall & {
  readonly given: Read
  readonly signedIn: SignedIn
  /** clock.elapsedMs() of the receipt. */
  readonly startedMs: number
  readonly nowMs: number
  readonly asked: Asked
}

/** Filled in by the work, as soon as it is known. */
export type Asked = {
  timeoutMs: number
  isCounted: boolean
  /** Tells the audit log; undefined: of such a call it tells nothing. Awaited before the answer. */
  audit: ((outcome: Outcome) => void | Promise<void>) | undefined
}

export type Outcome = {
  /** `done` or the failure's code. */
  readonly result: string
  readonly durationMs: number
  readonly numberOfResults: number
}

export type Done<Value> =
  | { readonly value: Value; readonly numberOfResults?: number }
  /** The answer goes on when the work is done; `ended`, where there is one, says how many
   *  results there were. */
  | { readonly response: Response; readonly ended?: Promise<number> }
