// context: what happened around one event.
import { Failure } from '../../../schemas/failures.ts'
import { contextAnswer } from '../../../schemas/search-json/answers.ts'
import { contextParameters } from '../../../schemas/search-json/parameters.ts'
import { compileEvent, compileNeighbours } from '../../language/reads/compile-event-reads.ts'
import { collect } from '../../search/collect.ts'
import { makeEndpoint, type TurnStore } from '../endpoint.ts'
import { makeEventReader } from '../event-answer.ts'

/** A neighbour is looked for in all time; the order of time lets the store stop at the nearest. */
const ALL = { startMs: null, endMs: null }
/** Names the audit log, too. */
const ANY_LOG = '* in log.*'

export const context = makeEndpoint({
  name: 'context',
  summary: 'Events around one event',
  description:
    'The nearest events before and after one event, in the exact order of events: by time, equal times by arrival. An event that does not exist or that the user may not see is 404.',
  parameters: contextParameters,
  answer: contextAnswer,
  run: async (call) => {
    const { event, among, query, before, after } = call.parameters
    const place = call.places.parseEvent(event)
    if (place === undefined)
      throw new Failure('search.parameter', { parameter: 'event', reason: 'is no id of ours' })
    const arrived = await call.readArrived()
    const read = makeEventReader({ ...call, names: call.scope.names })
    const all = call.filter(query, ALL)
    // Refuses a wrong filter before anything runs.
    const one = compileEvent({ ...call.filter(ANY_LOG, ALL), place })
    return await call.inTurn(async (store) => {
      const [row] = await collect(store.stream(one))
      if (row === undefined) throw new Failure('request.not_found', { what: 'event' })
      const found = read(row)
      const { logId, host, source } = found
      const kin = among === 'log' ? { logId } : { host, source }
      const beside = async (side: 'older' | 'newer', count: number) => {
        if (count === 0) return []
        const rows = compileNeighbours({ ...all, place, side, among: kin, arrived, count })
        return await readBounded(store, rows, (values) => read(values), call.maxAnswerBytes)
      }
      const older = await beside('older', before)
      const newer = await beside('newer', after)
      return { before: older.toReversed(), event: found.event, after: newer }
    })
  },
})

/** The nearest first, no more than the answer can hold. */
async function readBounded(
  store: TurnStore,
  statement: ReturnType<typeof compileNeighbours>,
  read: ReturnType<typeof makeEventReader>,
  maxLength: number,
) {
  const events = []
  let length = 0
  for await (const batch of store.stream(statement)) {
    for (const row of batch) {
      if (length > maxLength) return events
      const placed = read(row)
      length += placed.length
      events.push(placed.event)
    }
  }
  return events
}
