// Where the events of a policy go on to.
import type { ForwardedEvent } from '../forwarded-event.ts'

/** What is sent at once, always the same for the same `key`. */
export type ForwardBatch = {
  readonly key: string
  readonly events: readonly ForwardedEvent[]
  /** Path of a log by its number. */
  readonly nameOf: (logId: number) => string
}

export interface ForwardTarget {
  /** Resolves when the other side has it, as far as its protocol can say so. Fails with
   *  ForwardFault, or as connections do. */
  send(batch: ForwardBatch, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Its message is for operators, and holds nothing of the event nor of a secret. */
export class ForwardFault extends Error {}
