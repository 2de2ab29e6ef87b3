// The listener's calls in the OpenAPI document (decisions 2.1-2.10).
import { cloudEvent, cloudEventsParameters } from '../../schemas/public-calls/cloudevents.ts'
import {
  ingestAnswer,
  ingestParameters,
  receiptAnswer,
  receiptParameters,
} from '../../schemas/public-calls/ingest.ts'
import { type Components, inAddress, type Json, jsonContent, textContent } from './components.ts'

const RETRY_AFTER = {
  'Retry-After': {
    description: 'Seconds until the same request may succeed.',
    schema: { type: 'integer' },
  },
}
const ALLOW = { Allow: { description: 'The method that is served.', schema: { type: 'string' } } }

const INGEST_HEADERS = [
  {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'A repeat with the same key and body within 24 hours is stored once.',
    schema: { type: 'string' },
  },
  {
    name: 'Content-Encoding',
    in: 'header',
    required: false,
    schema: { type: 'string', enum: ['gzip', 'deflate', 'zstd'] },
  },
]

export function listenerPaths(schemas: Components): Json {
  const content = jsonContent(schemas.refer(ingestAnswer))
  const refusals = {
    400: { description: 'Token, format or a limit; repeating does not help.', content },
    405: { description: 'Another method.', headers: ALLOW, content },
    500: { description: 'The server cannot take it now.', headers: RETRY_AFTER, content },
  }
  return {
    '/logeye/api/logger.jsp': ingestPath(schemas, content, refusals),
    '/logeye/api/cloudevents': cloudEventsPath(schemas, content, refusals),
    '/logeye/api/receipt.jsp': receiptPath(schemas, refusals),
  }
}

function ingestPath(schemas: Components, content: Json, refusals: Json): Json {
  return {
    post: {
      operationId: 'ingest',
      tags: ['ingest'],
      summary: 'Take events in',
      description:
        'One JSON object, an array of them, NDJSON or objects one after the other; with the content type text/plain each line that has a byte is an event. Up to 10 MiB after decompression.',
      security: [],
      parameters: [...inAddress(schemas, ingestParameters), ...INGEST_HEADERS],
      requestBody: {
        required: true,
        content: { ...jsonContent({}), ...textContent('application/x-ndjson', 'text/plain') },
      },
      responses: { 200: { description: 'Every accepted event is durable.', content }, ...refusals },
    },
  }
}

function cloudEventsPath(schemas: Components, content: Json, refusals: Json): Json {
  const event = schemas.refer(cloudEvent)
  return {
    post: {
      operationId: 'ingestCloudEvents',
      tags: ['ingest'],
      summary: 'Take CloudEvents in',
      description:
        'CloudEvents 1.0 in the JSON format, one or a batch. An event that is none is rejected by itself. Binary mode is refused.',
      security: [],
      parameters: [
        ...inAddress(schemas, cloudEventsParameters),
        {
          name: 'Authorization',
          in: 'header',
          required: false,
          description: 'Bearer and the token of the listener account, where the address has none.',
          schema: { type: 'string' },
        },
        ...INGEST_HEADERS,
      ],
      requestBody: {
        required: true,
        content: {
          'application/cloudevents+json': { schema: event },
          'application/cloudevents-batch+json': { schema: { type: 'array', items: event } },
        },
      },
      responses: { 200: { description: 'Every accepted event is durable.', content }, ...refusals },
    },
  }
}

function receiptPath(schemas: Components, refusals: Json): Json {
  return {
    get: {
      operationId: 'receipt',
      tags: ['ingest'],
      summary: 'Whether what was acknowledged can be searched',
      security: [],
      parameters: inAddress(schemas, receiptParameters),
      responses: {
        200: {
          description: 'On any listener, also another than the one that took the events.',
          content: jsonContent(schemas.refer(receiptAnswer)),
        },
        ...refusals,
      },
    },
  }
}
