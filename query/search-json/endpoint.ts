// What an endpoint of the JSON interface is: its name, its parameters and answers as schemas
// (check, types and OpenAPI document in one), and the work. Signing in, limits, the queue,
// cancelling, failures and the audit log are the edge's (query/edge).
import type { z } from 'zod'
import type { SignedIn } from '../../infra/access/signed-in.ts'
import type { TimeWindow } from '../../schemas/time/time-window.ts'
import type { FilterInput, Statement } from '../language/compile-filter.ts'
import type { CellStyle } from '../search/print/cell-text.ts'
import type { VisibleScope } from '../search/visible-scope.ts'
import type { ReadArrived } from './arrived.ts'
import type { PlaceCodec } from './place-codec.ts'

export type Endpoint<
  Parameters extends z.ZodObject = z.ZodObject,
  Answer extends z.ZodObject = z.ZodObject,
> = {
  /** After /logeye/api/search/. */
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly parameters: Parameters
  readonly answer: Answer
  /** Its query is still being written. */
  readonly isDraft?: boolean
  /** Whether there are events or rows in an answer. Without it nothing is said of words that no
   *  event has. */
  hasFound?(answer: z.output<Answer>): boolean
  /** Rows of an answer that the parameter `limit` has cut; without it, or undefined: none. */
  cutRows?(answer: z.output<Answer>): number | undefined
  run(call: ReadCall<z.output<Parameters>>): Promise<z.output<Answer>>
}

export type ReadCall<Parameters> = {
  readonly parameters: Parameters
  readonly signedIn: SignedIn
  /** Of interval, or start and end. */
  readonly window: TimeWindow
  readonly nowMs: number
  readonly style: CellStyle
  /** Bytes of events that an answer may hold. */
  readonly maxAnswerBytes: number
  readonly scope: VisibleScope
  readonly places: PlaceCodec
  readonly readArrived: ReadArrived
  /** All that a compilation needs; by default of the window and the instant of the call. */
  filter(text: string, window?: TimeWindow, nowMs?: number): FilterInput
  /** Asks what only helps, for the time of hints at most; undefined: not known by then. Not within
   *  `inTurn`. */
  hint(statement: Statement): Promise<unknown[][] | undefined>
  /** Does the work in its turn of the queue; everything that is asked of the store is asked
   *  there. */
  inTurn<Value>(work: (store: TurnStore) => Promise<Value>): Promise<Value>
}

export type TurnStore = {
  /** Rows as arrays; leaving the loop early ends the query. One at a time. */
  stream(statement: Statement): AsyncIterable<unknown[][]>
  /** What running the statement took; its rows are thrown away. */
  measure(statement: Statement): Promise<StatementCost>
}

export type StatementCost = {
  readonly rows: number
  readonly rowsRead: number
  readonly bytesRead: number
  readonly elapsedMs: number
}

/** Keeps the types of parameters and answer together. */
export function makeEndpoint<Parameters extends z.ZodObject, Answer extends z.ZodObject>(
  endpoint: Endpoint<Parameters, Answer>,
): Endpoint<Parameters, Answer> {
  return endpoint
}
