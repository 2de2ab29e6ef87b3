// The OpenAPI document of what programs call: made from the schemas that check the parameters and
// of which the answers are made. OpenAPI 3.1 takes JSON Schema 2020-12 as it is, which zod prints:
// no further package.
import { z } from 'zod'
import { failedEnvelopeAnswer } from '../../schemas/public-calls/operation.ts'
import { searchCallParameters } from '../../schemas/public-calls/search.ts'
import {
  ERROR_CODES,
  errorEnvelope,
  eventAnswer,
  okEnvelope,
  withWarnings,
} from '../../schemas/search-json/answers.ts'
import { tailParameters } from '../../schemas/search-json/parameters.ts'
import { ENDPOINTS, SEARCH_JSON_PATH } from '../search-json/app.ts'
import {
  asObject,
  BODY_REFUSALS,
  Components,
  inAddress,
  type Json,
  jsonContent,
  textContent,
} from './components.ts'
import { listenerPaths } from './listener-paths.ts'
import { operationPaths } from './operation-paths.ts'

const SECURITY = [{ basic: [] }, { autoLogin: [], username: [], password: [] }]

export function makeOpenApi({ version, publicUrl }: { version: string; publicUrl: string }): Json {
  const schemas = new Components()
  return {
    openapi: '3.1.0',
    info: {
      title: 'Logeye',
      version,
      description:
        'Events in and searches out. Sign in by HTTP Basic, or by the parameters autoLogin=true, username and password.',
    },
    servers: [{ url: publicUrl }],
    security: SECURITY,
    paths: {
      ...jsonPaths(schemas),
      [`${SEARCH_JSON_PATH}/tail`]: tailPath(schemas),
      '/logeye/view/api/widgetAPI.jsp': searchPath(schemas),
      ...listenerPaths(schemas),
      ...operationPaths(schemas),
    },
    components: {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic' },
        autoLogin: { type: 'apiKey', in: 'query', name: 'autoLogin' },
        username: { type: 'apiKey', in: 'query', name: 'username' },
        password: { type: 'apiKey', in: 'query', name: 'password' },
      },
      // Last: everything above has added its own.
      schemas: schemas.all(),
    },
  }
}

function jsonPaths(schemas: Components): Json {
  const paths = ENDPOINTS.map(({ name, summary, description, parameters, answer }) => {
    const responses = {
      200: {
        description: summary,
        content: jsonContent(schemas.add(okEnvelope(withWarnings(answer)), 'output')),
      },
      ...errorResponses(schemas),
    }
    const both = { tags: ['search'], summary, description, responses }
    return [
      `${SEARCH_JSON_PATH}/${name}`,
      {
        get: { operationId: name, ...both, parameters: inAddress(schemas, parameters) },
        post: {
          operationId: `${name}ByPost`,
          ...both,
          requestBody: { required: true, content: jsonContent(schemas.add(parameters, 'input')) },
          responses: { ...responses, ...BODY_REFUSALS },
        },
      },
    ]
  })
  return Object.fromEntries(paths)
}

function tailPath(schemas: Components): Json {
  const event = schemas.add(z.object({ event: eventAnswer }), 'output')
  const { properties } = event
  const responses = {
    200: {
      description:
        'Server-sent events, endless. `data` of a message is one Event, `id` goes into Last-Event-ID. A message of the type `error` holds ErrorDetails and ends the stream. A comment at least every 10 seconds.',
      content: { 'text/event-stream': { schema: asObject(properties).event ?? {} } },
    },
    ...errorResponses(schemas),
  }
  const summary = 'Events as they arrive'
  const description =
    'Live tail of the events that a filter selects, in the order of arrival, each exactly once, also those whose own time is long past. Continues after Last-Event-ID when the connection broke.'
  const header = {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    schema: { type: 'string' },
  }
  const both = { tags: ['search'], summary, description }
  const body = jsonContent(schemas.add(tailParameters, 'input'))
  return {
    get: {
      operationId: 'tail',
      ...both,
      parameters: [...inAddress(schemas, tailParameters), header],
      responses,
    },
    post: {
      operationId: 'tailByPost',
      ...both,
      parameters: [header],
      requestBody: { required: true, content: body },
      responses: { ...responses, ...BODY_REFUSALS },
    },
  }
}

function searchPath(schemas: Components): Json {
  const summary = 'Search'
  const document = textContent('application/xml')
  const responses = {
    200: {
      description:
        'The XML document with the state OK or Fail; an export without it, compressed where Accept-Encoding takes gzip.',
      content: textContent('application/xml', 'application/x-ndjson', 'text/csv'),
      headers: {
        'X-Logeye-Warnings': {
          description:
            'Of an export: how many warnings of each code, such as `store.damaged=2`; absent without any. The XML document has them in Status/Warnings.',
          schema: { type: 'string' },
        },
      },
    },
    401: { description: 'Sign-in failed: the same document.', content: document },
    405: {
      description: 'Another method.',
      content: jsonContent(schemas.refer(failedEnvelopeAnswer)),
    },
    503: {
      description: 'The service cannot answer at all: the same document.',
      ...retryAfter(503),
      content: document,
    },
  }
  const parameters = inAddress(schemas, searchCallParameters)
  const body = schemas.add(searchCallParameters, 'input')
  const requestBody = { content: { 'application/x-www-form-urlencoded': { schema: body } } }
  const both = { tags: ['search'], summary, responses }
  return {
    get: { operationId: 'widgetApi', ...both, parameters },
    post: {
      operationId: 'widgetApiByPost',
      ...both,
      requestBody,
      responses: { ...responses, ...BODY_REFUSALS },
    },
  }
}

/** Every status of the JSON interface that is no success, with the codes that it stands for. */
function errorResponses(schemas: Components): Json {
  const content = jsonContent(schemas.refer(errorEnvelope))
  const byStatus = new Map<number, string[]>()
  for (const [code, status] of Object.entries(ERROR_CODES))
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      { description: `${codes.join(', ')}.`, ...retryAfter(status), content },
    ]),
  )
}

function retryAfter(status: number): Json {
  if (status !== 429 && status !== 503) return {}
  const header = { description: 'Seconds.', schema: { type: 'integer' } }
  return { headers: { 'Retry-After': header } }
}
