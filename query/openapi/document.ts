// The OpenAPI document of what programs call: made from the schemas that check the parameters and of which the answers are made.
// OpenAPI 3.1 takes JSON Schema 2020-12 as it is, which zod prints: no further package.
import { z } from 'zod'
import { ingestAnswer, ingestParameters } from '../../schemas/public-calls/ingest.ts'
import { searchCallParameters } from '../../schemas/public-calls/search.ts'
import { errorEnvelope, eventAnswer, okEnvelope } from '../../schemas/search-json/answers.ts'
import { tailParameters } from '../../schemas/search-json/parameters.ts'
import { ENDPOINTS, SEARCH_JSON_PATH } from '../search-json/app.ts'

type Json = Readonly<Record<string, unknown>>

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
      '/logeye/api/logger.jsp': ingestPath(schemas),
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

/** Schemas with an id stand once, under it. */
class Components {
  readonly #schemas: Record<string, unknown> = {}

  add(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { $schema: _, $defs, ...own } = z.toJSONSchema(schema, { io })
    for (const [name, definition] of Object.entries($defs ?? {}))
      this.#schemas[name] = toComponents(definition)
    return asObject(toComponents(own))
  }

  all(): Json {
    return this.#schemas
  }
}

function toComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toComponents)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      if (name === '$ref' && typeof inner === 'string')
        return [[name, inner.replace('#/$defs/', '#/components/schemas/')]]
      // Said by the name of the component.
      return name === 'id' && typeof inner === 'string' ? [] : [[name, toComponents(inner)]]
    }),
  )
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function jsonPaths(schemas: Components): Json {
  const paths = ENDPOINTS.map(({ name, summary, description, parameters, answer }) => {
    const responses = {
      200: {
        description: summary,
        content: jsonContent(schemas.add(okEnvelope(answer), 'output')),
      },
      ...errorResponse(schemas),
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
    ...errorResponse(schemas),
  }
  const summary = 'Events as they arrive'
  const description =
    'Live tail of the events that a filter selects, in the order of arrival, each exactly once, also those whose own time is long past. Goes on behind Last-Event-ID after a break.'
  return {
    get: {
      operationId: 'tail',
      tags: ['search'],
      summary,
      description,
      parameters: [
        ...inAddress(schemas, tailParameters),
        { name: 'Last-Event-ID', in: 'header', required: false, schema: { type: 'string' } },
      ],
      responses,
    },
  }
}

function searchPath(schemas: Components): Json {
  const summary = 'Search, as the specification has it'
  const responses = {
    200: {
      description: 'The XML document with the state OK or Fail; an export without it.',
      content: {
        'application/xml': { schema: { type: 'string' } },
        'application/x-ndjson': { schema: { type: 'string' } },
        'text/csv': { schema: { type: 'string' } },
      },
    },
    401: { description: 'Sign-in failed: the same document.' },
    503: { description: 'The service cannot answer at all: the same document.' },
  }
  const parameters = inAddress(schemas, searchCallParameters)
  const body = schemas.add(searchCallParameters, 'input')
  const requestBody = { content: { 'application/x-www-form-urlencoded': { schema: body } } }
  const both = { tags: ['search'], summary, responses }
  return {
    get: { operationId: 'widgetApi', ...both, parameters },
    post: { operationId: 'widgetApiByPost', ...both, requestBody },
  }
}

function ingestPath(schemas: Components): Json {
  const answer = jsonContent(
    asObject(asObject(schemas.add(z.object({ answer: ingestAnswer }), 'output').properties).answer),
  )
  const described = (description: string) => ({ description, content: answer })
  return {
    post: {
      operationId: 'ingest',
      tags: ['ingest'],
      summary: 'Take events in',
      description:
        'One JSON object, an array of them, NDJSON or objects one behind the other, plain or compressed.',
      security: [],
      parameters: [
        ...inAddress(schemas, ingestParameters),
        { name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string' } },
      ],
      requestBody: { required: true, content: jsonContent({}) },
      responses: {
        200: described('Every accepted event is durable.'),
        400: described('Nothing acceptable: token, format or a limit.'),
        500: described('The server cannot take it now; Retry-After says when to try again.'),
      },
    },
  }
}

/** A field of the schema a parameter. */
function inAddress(schemas: Components, parameters: z.ZodObject): Json[] {
  const { properties, required } = schemas.add(parameters, 'input')
  const wanted = Array.isArray(required) ? required : []
  return Object.entries(asObject(properties)).map(([name, field]) => {
    const { description, ...schema } = asObject(field)
    return {
      name,
      in: 'query',
      required: wanted.includes(name),
      ...(description === undefined ? {} : { description }),
      schema,
    }
  })
}

function errorResponse(schemas: Components): Json {
  const { properties } = schemas.add(z.object({ error: errorEnvelope }), 'output')
  const content = jsonContent(asObject(asObject(properties).error))
  return { default: { description: 'What went wrong.', content } }
}

function jsonContent(schema: Json): Json {
  return { 'application/json': { schema } }
}
