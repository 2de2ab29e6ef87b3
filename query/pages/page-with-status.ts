import type { StaticFiles } from '../../infra/http/static-files.ts'

const PAGE_FILE = 'console/index.html'

/** The console's page with a status of its own. Never 304, which is for a page that the browser
 *  has. */
export function pageWithStatus(files: StaticFiles, { url }: Request, status: number): Response {
  const page = files.answer(PAGE_FILE, new Request(url))
  const headers = new Headers(page?.headers)
  headers.delete('etag')
  headers.set('cache-control', 'no-store')
  return new Response(page?.body ?? null, { status, headers })
}

/** An address of the console that leads nowhere: a browser gets the page, which says so and has the
 *  ways out; undefined for a program, and for what is none of the console's. */
export function unknownPage(files: StaticFiles, request: Request): Response | undefined {
  if (request.method !== 'GET' || !request.headers.get('accept')?.includes('text/html'))
    return undefined
  return new URL(request.url).pathname.startsWith('/logeye/')
    ? pageWithStatus(files, request, 404)
    : undefined
}
