// The console: its page under every address that it has, and the files that the page loads.

import { z } from 'zod'
import {
  type Handle,
  NO_BODY,
  type RouteAnswer,
  type RouteTable,
  type ServedRoute,
  textContent,
} from '../../infra/http/routes/route.ts'
import type { StaticFiles } from '../../infra/http/static-files.ts'
import { Failure } from '../../schemas/failures.ts'
import { ABOUT_CALLER } from '../../schemas/rights/sees.ts'
import { FIXED_INTERVALS } from '../../schemas/time/time-window.ts'
import { FAILED_ENVELOPE } from '../edge/envelope.ts'

const HOME = '/logeye/'
const PAGE_FILE = 'console/index.html'
/** The page itself reads what stands behind them. */
const PAGE_PATHS = [
  HOME,
  '/logeye/manage',
  '/logeye/manage/{page}',
  '/logeye/manage/{page}/{item}',
  '/logeye/dashboards',
  '/logeye/dashboards/{app}',
  '/logeye/dashboards/{app}/{dashboard}',
  '/logeye/parts',
]
const SHARED = { methods: ['GET'], right: 'anonymous', body: NO_BODY } as const
const TAGS = ['console']
const NONE: RouteAnswer = { description: 'There is no such file.' }

export type ConsoleDeps = { readonly files: StaticFiles; readonly loadSearch: Handle }

/** Of the search call, which a link may hold as well. */
const loadSearchParameters = z.object({
  searchQuery: z.string().optional(),
  fixedInterval: z.enum(FIXED_INTERVALS).optional(),
  startTimeFullStr: z.string().optional(),
  endTimeFullStr: z.string().optional().meta({ description: 'Its second is included.' }),
  timeZone: z.string().optional(),
})

export function makeConsoleTable({ files, loadSearch }: ConsoleDeps): RouteTable {
  const answerFile = (name: string, request: Request): Response =>
    files.answer(name, request) ??
    FAILED_ENVELOPE.answer(new Failure('request.not_found', { what: 'file' }), 0)

  const page = (path: string, at: number): ServedRoute => ({
    ...SHARED,
    path,
    handle: ({ request }) => answerFile(PAGE_FILE, request),
    document: {
      operationId: `console${at + 1}`,
      tags: TAGS,
      summary: 'The console',
      answers: {
        200: { description: 'A page for people.', content: textContent('text/html') },
        304: { description: 'As the browser has it.' },
        404: NONE,
      },
    },
  })

  return {
    ...FAILED_ENVELOPE,
    routes: [
      ...PAGE_PATHS.map(page),
      {
        ...SHARED,
        path: '/logeye/assets/{file}',
        handle: ({ request, pathValues }) => answerFile(`assets/${pathValues.file ?? ''}`, request),
        document: {
          operationId: 'consoleFile',
          tags: TAGS,
          summary: 'A file of the console',
          description: 'Its name changes with what it holds, so browsers keep it.',
          answers: {
            200: { description: 'The file.' },
            304: { description: 'As the browser has it.' },
            404: NONE,
          },
        },
      },
      {
        ...SHARED,
        path: '/logeye/search/view/loadSearchModel.jsp',
        sees: ABOUT_CALLER,
        parameters: loadSearchParameters,
        handle: loadSearch,
        document: {
          operationId: 'loadSearchModel',
          tags: TAGS,
          summary: 'Opens the console on a query',
          description:
            'Either `fixedInterval` or both times: anything else leads to the console, too, which says what is wrong and searches nothing. The three parameters of sign-in may stand beside these: they become a session and are not in the address of the console. Whoever gives none and has no session is asked there.',
          answers: {
            303: { description: 'To the console, with the query and the times.' },
            401: {
              description: 'The credentials are refused. The page asks for sign-in, and goes on.',
              content: textContent('text/html'),
            },
          },
        },
      },
      ...['/', '/logeye'].map(toHome),
    ],
  }
}

function toHome(path: string, at: number): ServedRoute {
  return {
    ...SHARED,
    path,
    handle: () => new Response(null, { status: 302, headers: { location: HOME } }),
    document: {
      operationId: `toConsole${at + 1}`,
      tags: TAGS,
      summary: 'Leads to the console',
      answers: { 302: { description: `To ${HOME}.` } },
    },
  }
}
