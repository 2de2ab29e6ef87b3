// The versions of the API beside each other. An older one says in each of its answers since when it
// is deprecated (RFC 9745) and until when it is served at least (RFC 8594): twelve months.
import type { ServedRoute } from '../../infra/http/routes/route.ts'

export type ApiVersion = {
  /** `v1`: the part of the path. */
  readonly name: string
  /** Paths below the version's. */
  readonly routes: readonly ServedRoute[]
  /** Absent: it is the one to use. `since`: the day, `2027-01-31`, in UTC. `by`: what to use
   *  instead. */
  readonly deprecated?: { readonly since: string; readonly by: string }
}

const SERVED_MONTHS = 12
const BASE = '/api/portal'
const OPENAPI_PATH = '/api/portal/openapi.json'

/** `publicUrl`: without a slash at its end. Throws RangeError for a day that is none. */
export function mountVersions(versions: readonly ApiVersion[], publicUrl: string): ServedRoute[] {
  return versions.flatMap(({ name, routes, deprecated }) => {
    const mounted = routes.map((route) => ({ ...route, path: `${BASE}/${name}${route.path}` }))
    if (deprecated === undefined) return mounted
    const headers = headersOf(deprecated, publicUrl)
    return mounted.map((route) => deprecate(route, headers, name))
  })
}

type Headers = ReturnType<typeof headersOf>

function headersOf({ since, by }: NonNullable<ApiVersion['deprecated']>, publicUrl: string) {
  const sinceMs = Date.parse(`${since}T00:00:00Z`)
  if (Number.isNaN(sinceMs)) throw new RangeError(`${since} is no day as 2027-01-31`)
  const sunset = new Date(sinceMs)
  sunset.setUTCMonth(sunset.getUTCMonth() + SERVED_MONTHS)
  return {
    deprecation: `@${sinceMs / 1000}`,
    sunset: sunset.toUTCString(),
    link: `<${publicUrl}${OPENAPI_PATH}>; rel="deprecation", <${publicUrl}${BASE}/${by}>; rel="successor-version"`,
  }
}

function deprecate(route: ServedRoute, headers: Headers, name: string): ServedRoute {
  const { document } = route
  return {
    ...route,
    handle: async (call) => {
      const answer = await route.handle(call)
      for (const [name, value] of Object.entries(headers)) answer.headers.append(name, value)
      return answer
    },
    document:
      document === 'private'
        ? document
        : {
            ...document,
            isDeprecated: true,
            operationId: `${document.operationId}${name.toUpperCase()}`,
          },
  }
}
