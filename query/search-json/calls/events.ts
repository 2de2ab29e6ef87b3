// events: pages of the newest events.
import { Failure } from '../../../schemas/failures.ts'
import { eventsAnswer } from '../../../schemas/search-json/answers.ts'
import { eventsParameters } from '../../../schemas/search-json/parameters.ts'
import { compilePage } from '../../language/reads/compile-event-reads.ts'
import { makeEndpoint } from '../endpoint.ts'
import { makeEventReader, type PlacedEvent } from '../event-answer.ts'
import type { PageCursor, PlaceCodec } from '../place-codec.ts'

export const events = makeEndpoint({
  name: 'events',
  summary: 'Events, newest first',
  description:
    'One page of the events that a filter selects. Further pages by `cursor`: they are of the moment of the first one, so that no event stands in two of them and none is left out, whatever arrives meanwhile. A page ends early when its events are large.',
  parameters: eventsParameters,
  answer: eventsAnswer,
  hasFound: ({ data }) => data.length > 0,
  run: async (call) => {
    const { limit, query } = call.parameters
    const cursor = readCursor(call.parameters.cursor, call.places)
    const arrived = cursor?.arrived ?? (await call.readArrived())
    const window = cursor?.window ?? call.window
    const nowMs = cursor === undefined ? call.nowMs : cursor.nowMs
    // One more tells whether there are more.
    const after = cursor?.after
    const page = compilePage({
      ...call.filter(query, window, nowMs),
      after,
      arrived,
      count: limit + 1,
    })
    const read = makeEventReader({ ...call, names: call.scope.names })
    const found = await call.inTurn(async (store) => {
      const rows: PlacedEvent[] = []
      let length = 0
      for await (const batch of store.stream(page)) {
        for (const row of batch) {
          if (rows.length === limit || (rows.length > 0 && length > call.maxAnswerBytes))
            return { rows, hasMore: true }
          const placed = read(row)
          length += placed.length
          rows.push(placed)
        }
      }
      return { rows, hasMore: false }
    })
    const last = found.rows.at(-1)?.place
    return {
      data: found.rows.map(({ event }) => event),
      hasMore: found.hasMore,
      nextCursor:
        found.hasMore && last
          ? call.places.printCursor({ window, nowMs, after: last, arrived })
          : null,
      tailId: call.places.printPosition(arrived),
    }
  },
})

function readCursor(cursor: string | undefined, places: PlaceCodec): PageCursor | undefined {
  if (cursor === undefined) return undefined
  const parsed = places.parseCursor(cursor)
  if (parsed !== undefined) return parsed
  throw new Failure('search.parameter', {
    parameter: 'cursor',
    reason: 'was not made by this product',
  })
}
