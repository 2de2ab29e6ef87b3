// One call of the live tail: its answer is endless, and ends with the client, the product, or a
// failure of its own.
import { joinSignals } from '../../infra/join-signals.ts'
import { Failure } from '../../schemas/failures.ts'
import { tailParameters } from '../../schemas/search-json/parameters.ts'
import type { EdgeCall } from '../edge/surface.ts'
import type { Tails } from './calls/tail.ts'
import { eventStream } from './event-stream.ts'
import { auditRead } from './json-surface.ts'
import { type JsonGiven, parseGiven } from './read-parameters.ts'
import type { EndpointDeps } from './run-endpoint.ts'

export async function runTail(
  call: EdgeCall<JsonGiven>,
  tails: Tails,
  { audit, clock, places, stopping }: EndpointDeps,
): Promise<{ response: Response }> {
  const { request, given, signedIn } = call
  const heard = auditRead('tail', call, audit)
  const parameters = parseGiven(tailParameters, given)
  heard.query = parameters.query
  const last = request.headers.get('last-event-id') || parameters.lastEventId
  const from = last === undefined ? undefined : places.parsePosition(last)
  if (last !== undefined && from === undefined)
    throw new Failure('search.parameter', {
      parameter: 'lastEventId',
      reason: 'was not made by this product',
    })
  const ending = new AbortController()
  const { signal, leave } = joinSignals([ending.signal, request.signal, stopping])
  const end = () => {
    ending.abort()
    leave()
  }
  const pieces = await tails
    .open({ query: parameters.query, signedIn, from, signal })
    .catch((error: unknown) => {
      end()
      throw error
    })
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
  }
  return { response: new Response(eventStream(pieces, clock, end), { headers }) }
}
