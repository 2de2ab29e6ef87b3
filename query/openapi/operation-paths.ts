// Health, metrics, version and pages in the OpenAPI document (decision 1.9), and the files of
// results (4.5).
import {
  failedEnvelopeAnswer,
  liveAnswer,
  readyAnswer,
  versionAnswer,
} from '../../schemas/public-calls/operation.ts'
import { type Components, type Json, jsonContent, textContent } from './components.ts'

const CHALLENGE = {
  'WWW-Authenticate': { description: 'HTTP Basic.', schema: { type: 'string' } },
}

export function operationPaths(schemas: Components): Json {
  const failed = (description: string, headers?: Json) => ({
    description,
    ...(headers === undefined ? {} : { headers }),
    content: jsonContent(schemas.refer(failedEnvelopeAnswer)),
  })
  const otherMethod = { description: 'Another method.', content: textContent('text/plain') }
  const open = { tags: ['operation'], security: [] }
  const ready = jsonContent(schemas.refer(readyAnswer))
  return {
    '/logeye/results/{name}': {
      get: {
        operationId: 'resultFile',
        tags: ['search'],
        summary: 'A result that was too large for its answer',
        description:
          'The address in Url of a search answer, for the user who asked, for 24 hours. Compressed where Accept-Encoding takes gzip; a file that fails on its way is cut.',
        parameters: [
          {
            name: 'name',
            in: 'path',
            required: true,
            description: 'Unguessable, with the ending .xml or .csv.',
            schema: { type: 'string' },
          },
        ],
        responses: {
          200: {
            description: 'The bytes that Data would hold; of xml the whole document.',
            content: textContent('application/xml', 'text/csv'),
          },
          401: failed('Sign-in failed.', CHALLENGE),
          404: failed('Not there, gone, or not for this user.'),
          503: failed('The store or the database is away.'),
        },
      },
    },
    '/logeye/health/live': {
      get: {
        operationId: 'live',
        ...open,
        summary: 'The process answers',
        responses: {
          200: { description: 'It does.', content: jsonContent(schemas.refer(liveAnswer)) },
          405: otherMethod,
        },
      },
    },
    '/logeye/health/ready': {
      get: {
        operationId: 'ready',
        ...open,
        summary: 'Everything works',
        responses: {
          200: { description: 'It does.', content: ready },
          405: otherMethod,
          503: { description: 'A part is missing; the body says which.', content: ready },
        },
      },
    },
    '/metrics': {
      get: {
        operationId: 'metrics',
        tags: ['operation'],
        summary: 'Metrics of all processes, as Prometheus reads them',
        description:
          'Open to this machine; from elsewhere for operators, or with the token LOGEYE_HTTP_METRICS_TOKEN as Bearer.',
        responses: {
          200: { description: 'Text format 0.0.4.', content: textContent('text/plain') },
          401: {
            description: 'Sign-in failed.',
            headers: CHALLENGE,
            content: textContent('text/plain'),
          },
          405: otherMethod,
        },
      },
    },
    '/logeye/restapi/version': {
      get: {
        operationId: 'version',
        ...open,
        summary: 'Name and version of the product',
        responses: {
          200: { description: 'Both.', content: jsonContent(schemas.refer(versionAnswer)) },
          405: failed('Another method.'),
        },
      },
    },
    '/logeye/api/openapi.json': {
      get: {
        operationId: 'openapi',
        ...open,
        summary: 'This document',
        responses: {
          200: { description: 'OpenAPI 3.1.', content: jsonContent({}) },
          405: failed('Another method.'),
        },
      },
    },
    '/logeye/root.html': {
      get: {
        operationId: 'startPage',
        ...open,
        summary: 'The start page',
        responses: {
          200: { description: 'A page for people.', content: textContent('text/html') },
          405: failed('Another method.'),
        },
      },
    },
    ...Object.fromEntries(
      ['/', '/logeye', '/logeye/'].map((path, at) => [path, { get: toStartPage(at, open) }]),
    ),
  }
}

function toStartPage(at: number, open: Json): Json {
  return {
    operationId: `toStartPage${at + 1}`,
    ...open,
    summary: 'Leads to the start page',
    responses: { 302: { description: 'To /logeye/root.html.' } },
  }
}
