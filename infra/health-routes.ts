// Health and metrics as routes (decision 1.9): what health.ts serves and the OpenAPI document
// tells.
import { z } from 'zod'
import { liveAnswer, readyAnswer } from '../schemas/public-calls/operation.ts'
import type { DocumentedTable } from './http/routes/print-openapi.ts'
import { jsonContent, NO_BODY, type Route, textContent } from './http/routes/route.ts'

const READY = jsonContent(readyAnswer)
const TEXT = textContent('text/plain')
const SHARED = { methods: ['GET'], body: NO_BODY } satisfies Pick<Route, 'methods' | 'body'>
const TAGS = ['operation']

export const LIVE_ROUTE = {
  ...SHARED,
  path: '/logeye/health/live',
  right: 'anonymous',
  document: {
    operationId: 'live',
    tags: TAGS,
    summary: 'The process answers',
    answers: { 200: { description: 'It does.', content: jsonContent(liveAnswer) } },
  },
} satisfies Route

export const READY_ROUTE = {
  ...SHARED,
  path: '/logeye/health/ready',
  right: 'anonymous',
  document: {
    operationId: 'ready',
    tags: TAGS,
    summary: 'Everything works',
    answers: {
      200: { description: 'It does.', content: READY },
      503: { description: 'A part is missing; the body says which.', content: READY },
    },
  },
} satisfies Route

export const METRICS_ROUTE = {
  ...SHARED,
  path: '/metrics',
  right: 'operator',
  document: {
    operationId: 'metrics',
    tags: TAGS,
    summary: 'Metrics of all processes, as Prometheus reads them',
    description:
      'Open to this machine; from elsewhere for operators, or with the token LOGEYE_HTTP_METRICS_TOKEN as Bearer.',
    answers: {
      200: { description: 'Text format 0.0.4.', content: TEXT },
      401: {
        description: 'Sign-in failed.',
        headers: { 'WWW-Authenticate': z.string().meta({ description: 'HTTP Basic.' }) },
        content: TEXT,
      },
    },
  },
} satisfies Route

export const HEALTH_TABLE: DocumentedTable = {
  routes: [LIVE_ROUTE, READY_ROUTE, METRICS_ROUTE],
  refusalContent: TEXT,
}
