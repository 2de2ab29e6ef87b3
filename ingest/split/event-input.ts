// What a splitter gets of one event. The writer has one object for all of them: a splitter keeps
// nothing of it.
import type { GivenTime } from './event-form.ts'

export type EventInput = {
  body: Buffer
  /** Where the event lies in `body`, a line without its line end. */
  start: number
  end: number
  /** A line of text (decision 2.10), which is the message; else JSON, checked by the listener. */
  isLine: boolean
  receivedMs: number
  /** '' when absent. */
  hostName: string
  /** The address in any spelling. */
  peer: string
  /** Stands for the time of receipt. */
  given: GivenTime | undefined
}
