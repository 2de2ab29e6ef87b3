// The document of the API, and the page to which the `type` of a problem leads.
import { z } from 'zod'
import {
  jsonContent,
  NO_BODY,
  type ServedRoute,
  textContent,
} from '../../infra/http/routes/route.ts'
import { FAILURES } from '../../schemas/failures.ts'
import { printReferencePage, STYLE_PATH } from '../reference-page/print-page.ts'
import { STYLE } from '../reference-page/style.ts'

const SHARED = { methods: ['GET'], right: 'anonymous', security: [], body: NO_BODY } as const
const TAGS = ['operation']
export const PROBLEMS_PATH = '/api/portal/problems'
const OPENAPI_PATH = '/api/portal/openapi.json'
const REFERENCE_PATH = '/api/portal/docs'

export function makePageRoutes(openApi: () => unknown): ServedRoute[] {
  let reference: string | undefined
  return [
    {
      ...SHARED,
      path: REFERENCE_PATH,
      handle: () => {
        reference ??= printReferencePage(openApi(), {
          problems: PROBLEMS_PATH,
          openApi: OPENAPI_PATH,
        })
        return new Response(reference, { headers: HEADERS })
      },
      document: {
        operationId: 'reference',
        tags: TAGS,
        summary: 'This reference',
        answers: { 200: { description: 'A page for people.', content: textContent('text/html') } },
      },
    },
    {
      ...SHARED,
      path: STYLE_PATH,
      handle: () => new Response(STYLE, { headers: { 'content-type': 'text/css; charset=UTF-8' } }),
      document: 'private',
    },
    {
      ...SHARED,
      path: OPENAPI_PATH,
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
      path: PROBLEMS_PATH,
      handle: () => new Response(printProblems(), { headers: HEADERS }),
      document: {
        operationId: 'problems',
        tags: TAGS,
        summary: 'Every code of a problem',
        answers: { 200: { description: 'A page for people.', content: textContent('text/html') } },
      },
    },
  ]
}

const HEADERS = {
  'content-type': 'text/html; charset=UTF-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

/** Texts of ours alone. */
function printProblems(): string {
  const rows = Object.entries(FAILURES).flatMap(([name, { status, message }]) => {
    const [area, code = ''] = name.split('.', 2)
    const cells = [`<code>${code}</code>`, String(status), message]
    return area === 'portal' ? [`<tr id="${code}"><td>${cells.join('</td><td>')}</td></tr>`] : []
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Problems of the portal</title>
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body class="plain">
<p><a href="${REFERENCE_PATH}">Reference of the API</a></p>
<h1>Problems of the portal</h1>
<p>Each failed call answers <code>application/problem+json</code> with one of these codes. Words in braces are filled in.</p>
<table>
<tr><th>code</th><th>status</th><th>message</th></tr>
${rows.join('\n')}
</table>
</body>
</html>
`
}
