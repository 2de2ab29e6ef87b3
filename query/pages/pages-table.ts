// Pages and facts for everybody: version, the OpenAPI document, the start page.
import { z } from 'zod'
import {
  jsonContent,
  NO_BODY,
  type Route,
  type RouteTable,
  textContent,
} from '../../infra/http/routes/route.ts'
import { versionAnswer } from '../../schemas/public-calls/operation.ts'
import { envelope, FAILED_ENVELOPE } from '../edge/envelope.ts'
import { START_PAGE_POLICY } from './start-page.ts'

const START_PAGE = '/logeye/root.html'
const SHARED = { methods: ['GET'], right: 'anonymous', body: NO_BODY } satisfies Partial<Route>
const TAGS = ['operation']

export type Pages = {
  readonly version: string
  readonly startPage: () => Promise<string>
  readonly openApi: () => unknown
}

export function makePagesTable({ version, startPage, openApi }: Pages): RouteTable {
  return {
    ...FAILED_ENVELOPE,
    routes: [
      {
        ...SHARED,
        path: '/logeye/restapi/version',
        handle: () => envelope({ name: 'logeye', version }),
        document: {
          operationId: 'version',
          tags: TAGS,
          summary: 'Name and version of the product',
          answers: { 200: { description: 'Both.', content: jsonContent(versionAnswer) } },
        },
      },
      {
        ...SHARED,
        path: '/logeye/api/openapi.json',
        handle: () => Response.json(openApi()),
        document: {
          operationId: 'openapi',
          tags: TAGS,
          summary: 'This document',
          answers: { 200: { description: 'OpenAPI 3.1.', content: jsonContent(z.unknown()) } },
        },
      },
      {
        ...SHARED,
        path: START_PAGE,
        handle: async () => answerPage(await startPage()),
        document: {
          operationId: 'startPage',
          tags: TAGS,
          summary: 'The start page',
          answers: {
            200: { description: 'A page for people.', content: textContent('text/html') },
          },
        },
      },
    ],
  }
}

function answerPage(html: string): Response {
  const headers = {
    'content-type': 'text/html; charset=UTF-8',
    'content-security-policy': START_PAGE_POLICY,
  }
  return new Response(html, { headers })
}
