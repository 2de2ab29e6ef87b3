// The workspace: its page under every address that it has, and the files that the page loads.
import { NO_BODY, type ServedRoute } from '../../infra/http/routes/route.ts'
import type { StaticFiles } from '../../infra/http/static-files.ts'
import { Failure } from '../../schemas/failures.ts'

const HOME = '/portal/'
const PAGE_FILE = 'workspace/index.html'
/** The page itself reads what stands behind them. */
const PAGE_PATHS = [HOME, '/portal/{page}', '/portal/{page}/{item}']
/** For people: no calls, so the document of the API does not tell of them. */
const SHARED = {
  methods: ['GET'],
  right: 'anonymous',
  security: [],
  body: NO_BODY,
  document: 'private',
} as const

/** Mail leads to /portal/password, see accounts/one-time-links.ts. */
export function makeWorkspaceRoutes(files: StaticFiles): ServedRoute[] {
  const answerFile = (name: string, request: Request): Response => {
    const found = files.answer(name, request)
    if (found === undefined) throw new Failure('portal.not_found', { what: 'file' })
    return found
  }
  const toHome = () => new Response(null, { status: 302, headers: { location: HOME } })
  return [
    {
      ...SHARED,
      path: '/portal/assets/{file}',
      handle: ({ request, pathValues }) => answerFile(`assets/${pathValues.file ?? ''}`, request),
    },
    ...PAGE_PATHS.map(
      (path): ServedRoute => ({
        ...SHARED,
        path,
        handle: ({ request }) => answerFile(PAGE_FILE, request),
      }),
    ),
    ...['/', '/portal'].map((path): ServedRoute => ({ ...SHARED, path, handle: toHome })),
  ]
}
