// GET /logeye/search/view/loadSearchModel.jsp: opens the console on a query. Credentials in the
// address become a session and leave it by a redirect to the console. Credentials that are refused
// are 401 with the console's page, which takes them out of the address before it asks for sign-in;
// who gave none is asked there, too. No parameter says where to go (docs/decisions/0072).

import { readCredentials } from '../../infra/access/credentials.ts'
import type { Clock } from '../../infra/clock.ts'
import type { Handle } from '../../infra/http/routes/route.ts'
import type { StaticFiles } from '../../infra/http/static-files.ts'
import type { OpenedMetastore } from '../../infra/metastore/open.ts'
import { isFailure } from '../../schemas/failures.ts'
import { parseExplicitTime } from '../../schemas/time/time-window.ts'
import { findTimeZone } from '../../schemas/time/time-zone.ts'
import { ANONYMOUS_USER } from '../../schemas/users.ts'
import { beginSession } from '../access/begin-session.ts'
import { ASKED, NextSessions } from '../access/next-session.ts'
import { sessionCookie } from '../access/session-cookie.ts'
import { envelope, FAILED_ENVELOPE } from '../edge/envelope.ts'
import { readStyle } from '../edge/read-style.ts'
import type { ServeCall } from '../edge/serve-call.ts'
import type { Given, Surface } from '../edge/surface.ts'
import { pageWithStatus } from './page-with-status.ts'

export type LoadSearchDeps = {
  readonly metastore: OpenedMetastore
  readonly clock: Clock
  readonly serve: ServeCall
  readonly publicUrl: string
  readonly files: StaticFiles
}

const CONSOLE = '/logeye/'

export function makeLoadSearch(deps: LoadSearchDeps): Handle {
  const { metastore, clock, serve, publicUrl, files } = deps
  const next = new NextSessions(deps)
  return async (call) => {
    const pairs = [...new URL(call.request.url).searchParams]
    const target = printTarget(new Map([...pairs].reverse()), metastore)
    const { request } = call
    const authorization = request.headers.get('authorization')
    // A session that has ended is no attempt.
    const hasGiven = readCredentials({ parameters: pairs, authorization }) !== undefined
    const surface: Surface<Given, never> = {
      read: () => ({ pairs }),
      answer: envelope,
      failures: {
        ...FAILED_ENVELOPE,
        answer: (error) =>
          hasGiven && isFailure(error) && error.entry.status === 401
            ? pageWithStatus(files, request, 401)
            : redirect(target, undefined),
      },
      bug: { phrase: 'opening the console failed', code: 'request.internal' },
      isCounted: false,
      mayBeLinked: true,
    }
    const answer = serve(surface, async ({ request, signedIn }) => {
      const { by, user } = signedIn
      // A session that is there goes on; while security is off nobody has one.
      if (by.kind === 'session' || user.id === ANONYMOUS_USER.id)
        return { response: redirect(target, undefined) }
      const current = await next.current(request)
      if (current?.userId === user.id) return { response: redirect(target, undefined) }
      if (current !== undefined) {
        const offered = await next.offer(signedIn, current, { request, publicUrl })
        return { response: redirect(`${target}&${ASKED.join('=')}`, offered) }
      }
      const { secret, endsMs } = await beginSession(signedIn, { metastore, clock })
      return { response: redirect(target, sessionCookie(secret, endsMs, { request, publicUrl })) }
    })
    return await answer(call)
  }
}

/** The address of the console with the same query and times; `end` is outside of a window there.
 *  What does not go together, an interval beside times or one time alone, is handed on as it is:
 *  the console says so. */
function printTarget(given: ReadonlyMap<string, string>, metastore: OpenedMetastore): string {
  const zone = given.get('timeZone')
  const known = zone === undefined ? undefined : findTimeZone(zone)
  const style = readStyle(metastore, known?.name)
  const time = (text: string | undefined, side: 'startMs' | 'endMs') => {
    const read = text && parseExplicitTime(text, style.dateFormat, style.zone)
    // What cannot be read is told by the console, where it can be mended.
    return read ? new Date(read[side]).toISOString() : text
  }
  const parameters = new URLSearchParams()
  const add = (name: string, value: string | undefined) => {
    if (value !== undefined && value !== '') parameters.set(name, value)
  }
  add('query', given.get('searchQuery'))
  add('interval', given.get('fixedInterval'))
  add('start', time(given.get('startTimeFullStr'), 'startMs') ?? given.get('startTime'))
  add('end', time(given.get('endTimeFullStr'), 'endMs') ?? given.get('endTime'))
  add('zone', zone)
  // As the search call has it, which a link of the field stands for.
  const hasTimes = ['interval', 'start', 'end'].some((name) => parameters.has(name))
  if (!hasTimes) parameters.set('interval', 'last24Hours')
  return `${CONSOLE}?${parameters}`
}

function redirect(location: string, cookie: string | undefined): Response {
  const headers = new Headers({ location })
  if (cookie !== undefined) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}
