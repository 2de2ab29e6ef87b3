// The routes of searching: the specification's own call, and the files of large results.
import { z } from 'zod'
import {
  type Contents,
  type Handle,
  jsonContent,
  NO_BODY,
  parametersBody,
  type RouteAnswer,
  type RouteTable,
  textContent,
} from '../../infra/http/routes/route.ts'
import { failedEnvelopeAnswer } from '../../schemas/public-calls/operation.ts'
import { searchCallParameters } from '../../schemas/public-calls/search.ts'
import { ONLY_READS } from '../../schemas/rights/sees.ts'
import { CHALLENGE, RETRY_AFTER } from '../edge/documented-headers.ts'
import { FAILED_ENVELOPE } from '../edge/envelope.ts'
import { FORM } from '../edge/read-form.ts'
import { FILES_PATH } from './results/result-life.ts'

const DOCUMENT: Contents = textContent('application/xml')

export function makeSearchTable(handle: { search: Handle; file: Handle }): RouteTable {
  return {
    ...FAILED_ENVELOPE,
    routes: [
      {
        methods: ['GET', 'POST'],
        sees: ONLY_READS,
        path: '/logeye/view/api/widgetAPI.jsp',
        right: 'signed-in',
        parameters: searchCallParameters,
        body: parametersBody([FORM], { isRequired: false }),
        handle: handle.search,
        document: {
          operationId: 'widgetApi',
          tags: ['search'],
          summary: 'Search',
          answers: {
            200: {
              description:
                'The XML document with the state OK or Fail; an export without it, compressed where Accept-Encoding takes gzip.',
              content: textContent('application/xml', 'application/x-ndjson', 'text/csv'),
              headers: {
                'X-Logeye-Warnings': z.string().meta({
                  description:
                    'Of an export: how many warnings of each code, such as `store.damaged=2`; absent without any. The XML document has them in Status/Warnings.',
                }),
              },
            },
            401: { description: 'Sign-in failed: the same document.', content: DOCUMENT },
            403: { description: 'Called by a page of another site: the same.', content: DOCUMENT },
            503: {
              description: 'The service cannot answer at all: the same document.',
              headers: RETRY_AFTER,
              content: DOCUMENT,
            },
          },
        },
      },
      {
        methods: ['GET'],
        path: `${FILES_PATH}/{name}`,
        right: 'signed-in',
        pathValues: {
          name: z.string().meta({ description: 'Unguessable, with the ending .xml or .csv.' }),
        },
        body: NO_BODY,
        handle: handle.file,
        document: {
          operationId: 'resultFile',
          tags: ['search'],
          summary: 'A result that was too large for its answer',
          description:
            'The address in Url of a search answer, for the user who asked, for 24 hours. Compressed where Accept-Encoding takes gzip; a file that fails on its way is cut.',
          answers: {
            200: {
              description: 'The bytes that Data would hold; of xml the whole document.',
              content: textContent('application/xml', 'text/csv'),
            },
            401: failed('Sign-in failed.', CHALLENGE),
            403: failed('Called by a page of another site, other than by a link.'),
            404: failed('Not there, gone, or not for this user.'),
            503: failed(
              'The store or the database is away, or the file ended before its first byte.',
            ),
          },
        },
      },
    ],
  }
}

function failed(description: string, headers?: RouteAnswer['headers']): RouteAnswer {
  const content = jsonContent(failedEnvelopeAnswer)
  return { description, ...(headers === undefined ? {} : { headers }), content }
}
