// The listener's calls for the OpenAPI document (decisions 2.1-2.10): raw routes, which it serves
// by itself.
import { z } from 'zod'
import type { DocumentedTable } from '../../infra/http/routes/print-openapi.ts'
import { jsonContent, NO_BODY, textContent } from '../../infra/http/routes/route.ts'
import { cloudEvent, cloudEventsParameters } from '../../schemas/public-calls/cloudevents.ts'
import {
  ingestAnswer,
  ingestParameters,
  receiptAnswer,
  receiptParameters,
} from '../../schemas/public-calls/ingest.ts'

const content = jsonContent(ingestAnswer)
const INGEST_HEADERS = {
  'Idempotency-Key': z.string().optional().meta({
    description: 'A repeat with the same key and body within 24 hours is stored once.',
  }),
  'Content-Encoding': z.enum(['gzip', 'deflate', 'zstd']).optional(),
}
const INGEST_BODY = { kind: 'buffered', maxBytes: 10 * 1024 * 1024, isRequired: true } as const
const REFUSALS = {
  400: { description: 'Token, format or a limit; repeating does not help.', content },
  405: {
    description: 'Another method.',
    headers: { Allow: z.string().meta({ description: 'The method that is served.' }) },
    content,
  },
  500: {
    description: 'The server cannot take it now.',
    headers: {
      'Retry-After': z.unknown().meta({
        description: 'Seconds until the same request may succeed.',
        type: 'integer',
      }),
    },
    content,
  },
}

export const LISTENER_TABLE: DocumentedTable = {
  routes: [
    {
      methods: ['POST'],
      path: '/logeye/api/logger.jsp',
      right: 'token',
      parameters: ingestParameters,
      headers: INGEST_HEADERS,
      body: {
        ...INGEST_BODY,
        contents: {
          ...jsonContent(z.unknown()),
          ...textContent('application/x-ndjson', 'text/plain'),
        },
      },
      document: {
        operationId: 'ingest',
        tags: ['ingest'],
        summary: 'Take events in',
        description:
          'One JSON object, an array of them, NDJSON or objects one after the other; with the content type text/plain each line that has a byte is an event. Up to 10 MiB after decompression.',
        answers: { 200: { description: 'Every accepted event is durable.', content }, ...REFUSALS },
      },
    },
    {
      methods: ['POST'],
      path: '/logeye/api/cloudevents',
      right: 'token',
      parameters: cloudEventsParameters,
      headers: {
        Authorization: z.string().optional().meta({
          description: 'Bearer and the token of the listener account, where the address has none.',
        }),
        ...INGEST_HEADERS,
      },
      body: {
        ...INGEST_BODY,
        contents: {
          'application/cloudevents+json': cloudEvent,
          'application/cloudevents-batch+json': z.array(cloudEvent),
        },
      },
      document: {
        operationId: 'ingestCloudEvents',
        tags: ['ingest'],
        summary: 'Take CloudEvents in',
        description:
          'CloudEvents 1.0 in the JSON format, one or a batch. An event that is not a valid CloudEvent is rejected by itself. Binary mode is refused.',
        answers: { 200: { description: 'Every accepted event is durable.', content }, ...REFUSALS },
      },
    },
    {
      methods: ['GET'],
      path: '/logeye/api/receipt.jsp',
      right: 'token',
      parameters: receiptParameters,
      body: NO_BODY,
      document: {
        operationId: 'receipt',
        tags: ['ingest'],
        summary: 'Whether what was acknowledged can be searched',
        answers: {
          200: {
            description: 'On any listener, also another than the one that took the events.',
            content: jsonContent(receiptAnswer),
          },
          ...REFUSALS,
        },
      },
    },
  ],
}
