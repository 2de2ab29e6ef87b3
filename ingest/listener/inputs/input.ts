// What one protocol is to the listener: where it is spoken to, what a request says of itself, how
// its body is read, how it is answered. Everything else is the same for all (input-route.ts). To
// add one, write a folder like cloudevents/ and name it in inputs.ts.
import type { RawExchange } from '../../../infra/http/port.ts'
import type { ListenerAccount } from '../../../schemas/listener-account.ts'
import type { EventForm } from '../../split/event-form.ts'
import type { ListenerFailureCode, Tally } from '../admission/outcome.ts'
import type { ExplainedEvent } from '../explain.ts'
import type { ScanLimits } from '../scan/scan.ts'
import type { BodyScanner } from '../scan/scan-queue.ts'
import type { RequestParameters } from './request-parameters.ts'

export type Input = {
  readonly path: string
  /** What the block says of its events, and by what the writer splits them. */
  readonly form: EventForm
  /** Of the address and headers; in the exchange's first synchronous turn. Never fails: a token may
   *  be ''. */
  readParameters(exchange: RawExchange): RequestParameters
  /** By the headers; in the exchange's first synchronous turn. A code: what this input does not
   *  take. */
  chooseBody(exchange: RawExchange): ReadBody | ListenerFailureCode
  /** How to read what System->rejected kept of this input, by its column `form` ('' where it has
   *  none). */
  readonly rejectedForms: Readonly<Record<string, ReadBody>>
  makePrinter(limits: AnswerLimits): AnswerPrinter
}

/** `received`: decompressed. `account`: whose request it is; absent for what was rejected before.
 *  `body`: what the ranges of the scanner count in. */
export type ReadBody = (
  received: Buffer,
  limits: ScanLimits,
  account?: ListenerAccount,
) => { readonly body: Buffer; readonly scanner: BodyScanner }

export type AnswerLimits = ScanLimits & {
  readonly maxBodyBytes: number
  /** Of the event log: a request that needs more in it is refused. */
  readonly maxBlockBytes: number
  readonly retryAfterSeconds: number
}

export type Answer = {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

export interface AnswerPrinter {
  stored(tally: Tally, receipt: string): Answer
  /** Of `?debug=1`: nothing was stored, so there is no receipt. `indexes`: of the explained events
   *  in the request. */
  explained(tally: Tally, events: readonly ExplainedEvent[], indexes: readonly number[]): Answer
  failed(code: ListenerFailureCode, tally?: Tally): Answer
  methodNotAllowed(allowed: string): Answer
}
