// The JSON interface under /logeye/api/search, for the console and for programs: richer than the search call of decision 4.3. Same sign-in,
// visibility, limits, queue and cancelling as widgetAPI.jsp.
import { Hono } from 'hono'
import { joinSignals } from '../../infra/join-signals.ts'
import type { Metrics } from '../../infra/metrics.ts'
import { Failure } from '../../schemas/failures.ts'
import { tailParameters } from '../../schemas/search-json/parameters.ts'
import { shareArrived } from './arrived.ts'
import { complete } from './calls/complete.ts'
import { context } from './calls/context.ts'
import { facets, histogram, overview } from './calls/counts.ts'
import { events } from './calls/events.ts'
import { explain } from './calls/explain.ts'
import { table } from './calls/table.ts'
import { Tails } from './calls/tail.ts'
import type { Endpoint } from './endpoint.ts'
import { eventStream } from './event-stream.ts'
import { answerError, errorEnvelope } from './failed-answer.ts'
import { type ReadDeps, ReadEdge, type Received } from './read-edge.ts'
import { parseGiven } from './read-parameters.ts'

export type SearchJsonDeps = ReadDeps & { readonly metrics: Metrics; readonly maxTails: number }

export const SEARCH_JSON_PATH = '/logeye/api/search'

type Env = { Bindings: { readonly address: string } }

export const ENDPOINTS: readonly Endpoint[] = [
  events,
  histogram,
  facets,
  overview,
  context,
  explain,
  table,
  complete,
]

/** Mount at /logeye/api/search. */
export function makeSearchJsonApp(given: SearchJsonDeps): Hono<Env> {
  const { clock, metrics } = given
  const deps = { ...given, readArrived: shareArrived(given.readArrived, clock) }
  const edge = new ReadEdge(deps)
  const tails = new Tails({ ...deps, readStyle: () => edge.readStyle() })
  const open = metrics.gauge('logeye_tails_open', 'Live tails that are open')
  metrics.onRead(() => open.set(tails.count))

  async function tail({ request, given: values, signedIn, asked }: Received): Promise<Response> {
    const parameters = parseGiven(tailParameters, values)
    asked.query = parameters.query
    const last = request.headers.get('last-event-id') || parameters.lastEventId
    const from = last === undefined ? undefined : deps.places.parsePosition(last)
    if (last !== undefined && from === undefined)
      throw new Failure('search.parameter', {
        parameter: 'lastEventId',
        reason: 'was not made by this product',
      })
    const ending = new AbortController()
    const { signal, leave } = joinSignals([ending.signal, request.signal, deps.stopping])
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
    return new Response(eventStream(pieces, clock, end), {
      headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
    })
  }

  const app = new Hono<Env>()
  const methods = ['GET', 'POST']
  for (const endpoint of ENDPOINTS) {
    const serve = edge.serve(endpoint)
    app.on(methods, `/${endpoint.name}`, (context) => serve(context, context.env.address))
  }
  app.on(methods, '/tail', (context) =>
    edge.answer(context, { address: context.env.address, name: 'tail' }, tail),
  )
  for (const name of [...ENDPOINTS.map((endpoint) => endpoint.name), 'tail'])
    app.all(`/${name}`, () => {
      const answer = answerError(
        errorEnvelope('method_not_allowed', 'the methods here are GET, POST'),
      )
      answer.headers.set('allow', methods.join(', '))
      return answer
    })
  app.all('*', () => answerError(errorEnvelope('not_found', 'not found')))
  return app
}
