// The JSON interface under /logeye/api/search, for the console and for programs: richer than the
// search call of decision 4.3. Same sign-in, visibility, limits, queue and cancelling.
import { z } from 'zod'
import {
  type Handle,
  jsonContent,
  parametersBody,
  type RouteAnswer,
  type RouteTable,
  type ServedRoute,
} from '../../infra/http/routes/route.ts'
import type { Metrics } from '../../infra/metrics.ts'
import { ONLY_READS } from '../../schemas/rights/sees.ts'
import {
  ERROR_CODES,
  errorEnvelope,
  eventAnswer,
  okEnvelope,
  withWarnings,
} from '../../schemas/search-json/answers.ts'
import { tailParameters } from '../../schemas/search-json/parameters.ts'
import { RETRY_AFTER } from '../edge/documented-headers.ts'
import type { ServeCall } from '../edge/serve-call.ts'
import { shareArrived } from './arrived.ts'
import { complete } from './calls/complete.ts'
import { context } from './calls/context.ts'
import { facets, histogram, overview } from './calls/counts.ts'
import { events } from './calls/events.ts'
import { explain } from './calls/explain.ts'
import { shapes } from './calls/shapes.ts'
import { table } from './calls/table.ts'
import { Tails } from './calls/tail.ts'
import type { Endpoint } from './endpoint.ts'
import { ERROR_ENVELOPE } from './failed-answer.ts'
import { JSON_SURFACE } from './json-surface.ts'
import { type EndpointDeps, runEndpoint } from './run-endpoint.ts'
import { runTail } from './run-tail.ts'

export type SearchJsonDeps = EndpointDeps & {
  readonly serve: ServeCall
  readonly metrics: Metrics
  readonly maxTails: number
}

const PREFIX = '/logeye/api/search'
export const ENDPOINTS: readonly Endpoint[] = [
  events,
  histogram,
  facets,
  overview,
  shapes,
  context,
  explain,
  table,
  complete,
]
/** Of parameters: a form is taken, too. */
const JSON_BODY = parametersBody(['application/json'], { isRequired: true })

export function makeSearchJsonTable(given: SearchJsonDeps): RouteTable {
  const { clock, metrics, serve } = given
  const deps = { ...given, readArrived: shareArrived(given.readArrived, clock) }
  const tails = new Tails(deps)
  const open = metrics.gauge('logeye_tails_open', 'Live tails that are open')
  metrics.onRead(() => open.set(tails.count))
  const routes = ENDPOINTS.map((endpoint) => {
    const handle = serve(JSON_SURFACE, async (call) => ({
      value: await runEndpoint(endpoint, call, deps),
    }))
    return endpointRoute(endpoint, handle)
  })
  const tail = tailRoute(serve(JSON_SURFACE, (call) => runTail(call, tails, deps)))
  return { ...ERROR_ENVELOPE, prefix: PREFIX, routes: [...routes, tail] }
}

function endpointRoute(endpoint: Endpoint, handle: Handle): ServedRoute {
  const { name, summary, description, parameters, answer } = endpoint
  return {
    methods: ['GET', 'POST'],
    sees: ONLY_READS,
    path: `${PREFIX}/${name}`,
    right: 'signed-in',
    parameters,
    body: JSON_BODY,
    handle,
    document: {
      operationId: name,
      tags: ['search'],
      summary,
      description,
      answers: {
        200: { description: summary, content: jsonContent(okEnvelope(withWarnings(answer))) },
        ...failedAnswers(),
      },
    },
  }
}

function tailRoute(handle: Handle): ServedRoute {
  return {
    methods: ['GET', 'POST'],
    sees: ONLY_READS,
    path: `${PREFIX}/tail`,
    right: 'signed-in',
    parameters: tailParameters,
    headers: { 'Last-Event-ID': z.string().optional() },
    body: JSON_BODY,
    handle,
    document: {
      operationId: 'tail',
      tags: ['search'],
      summary: 'Events as they arrive',
      description:
        'Live tail of the events that a filter selects, in the order of arrival, each exactly once, also those whose own time is long past. Continues after Last-Event-ID when the connection broke.',
      answers: {
        200: {
          description:
            'Server-sent events, endless. `data` of a message is one Event, `id` goes into Last-Event-ID. A message of the type `warnings`, at the beginning and only where there are any, holds a list of Warning: what in the query may have been meant otherwise. A message of the type `error` holds ErrorDetails and ends the stream. A comment at least every 10 seconds.',
          content: { 'text/event-stream': eventAnswer },
        },
        ...failedAnswers(),
      },
    },
  }
}

/** Every status that is no success, with the codes that it stands for. */
function failedAnswers(): Record<number, RouteAnswer> {
  const byStatus = new Map<number, string[]>()
  for (const [code, status] of Object.entries(ERROR_CODES))
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: `${codes.join(', ')}.`,
        ...(status === 429 || status === 503 ? { headers: RETRY_AFTER } : {}),
        content: jsonContent(errorEnvelope),
      },
    ]),
  )
}
