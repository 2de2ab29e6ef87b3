// What `?debug=1` asks (decision 2.5): where each event of a request would be stored. The listener
// only declares the question; the answer comes from the writer's own code
// (ingest/writer/explain.ts), so that it cannot differ from what the writer does.
import type { BlockRequest } from '../../schemas/block/schema.ts'
import type { ListenerAccount } from '../../schemas/listener-account.ts'

export type ExplainRequest = Pick<
  BlockRequest,
  'receivedMs' | 'hostName' | 'peer' | 'form' | 'body' | 'ranges' | 'origins'
> & {
  /** The version that the request met. */
  readonly account: ListenerAccount
}

/** One event's place. JSON-ready: the listener prints it as it is. */
export type ExplainedEvent = {
  /** Folder levels joined with '->' (schemas/names/log-path.ts), without the log's name; '' at the
   *  root. */
  readonly path: string
  readonly log: string
  readonly host: string
  /** Name of the template that would be applied; null for none. */
  readonly template: string | null
  /** Which of its patterns fits, from 1; 0: none; null: there is no template. */
  readonly pattern: number | null
  /** Values as they would be shown, in order of the event. */
  readonly columns: Readonly<Record<string, string>>
  /** ISO 8601 in UTC with the digits that are kept. */
  readonly time: string
}

/** One answer for each range, in order. Stores nothing. Fails like the metastore
 *  (database.unavailable). */
export type Explain = (request: ExplainRequest) => Promise<readonly ExplainedEvent[]>

/** Indexes in the request of its first `count` accepted events: those that the rejections
 *  (ascending) leave. */
export function acceptedIndexes(
  count: number,
  rejections: readonly { readonly index: number }[],
): number[] {
  const rejected = new Set(rejections.map((rejection) => rejection.index))
  const indexes: number[] = []
  for (let index = 0; indexes.length < count; index += 1) {
    if (!rejected.has(index)) indexes.push(index)
  }
  return indexes
}
