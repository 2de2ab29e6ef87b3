// Route tables as one fetch handler: by Hono, with 404, 405 and 413 in the shape of the table that
// they concern.
import { type Context, Hono } from 'hono'
import { MAX_FETCH_BODY_BYTES } from '../fetch-request.ts'
import { limitStream, readLimited } from './limited-body.ts'
import { hasBody, type Method, type Refusal, type RouteTable, type ServedRoute } from './route.ts'

type Env = { Bindings: { readonly address: string } }

export type RouteFetch = (request: Request, client: { address: string }) => Promise<Response>

export type ServeOptions = {
  /** Of paths that no table knows. */
  readonly refuse: (refusal: Refusal) => Response
  /** Asked before `refuse`: what people are shown in place of it, if anything. */
  readonly unknown?: (request: Request) => Response | undefined
  /** Of what a handler throws. */
  readonly onError: (error: Error) => Response
  /** Of every answer that does not say otherwise. */
  readonly headers: Readonly<Record<string, string>>
}

/** Throws RangeError for tables that cannot be served: a route twice, or a body that is never
 *  handed over whole. */
export function serveRoutes(tables: readonly RouteTable[], options: ServeOptions): RouteFetch {
  check(tables)
  const app = new Hono<Env>()
  app.use(async (context, next) => {
    await next()
    for (const [name, value] of Object.entries(options.headers))
      if (!context.res.headers.has(name)) context.res.headers.set(name, value)
  })
  for (const table of tables) {
    for (const route of table.routes)
      app.on([...route.methods], honoPath(route.path), (context) => answer(context, route, table))
    for (const [path, allowed] of methodsByPath(table.routes))
      app.all(path, () => refuseMethod(table, allowed))
  }
  const unknown: Refusal = { kind: 'unknown_path', status: 404 }
  for (const { prefix, refuse } of tables)
    if (prefix !== undefined) app.all(`${prefix}/*`, () => refuse(unknown))
  app.notFound(({ req }) => options.unknown?.(req.raw) ?? options.refuse(unknown))
  app.onError(options.onError)
  return async (request, client) => {
    if (request.method !== 'HEAD') return await app.fetch(request, client)
    // Hono throws the answer to GET away without ending its body: whatever writes it would wait.
    const answer = await app.fetch(new Request(request, { method: 'GET' }), client)
    await answer.body?.cancel().catch(() => undefined)
    return new Response(null, answer)
  }
}

async function answer(
  context: Context<Env>,
  route: ServedRoute,
  table: RouteTable,
): Promise<Response> {
  const request = context.req.raw
  const { right } = route
  const pathValues = context.req.param()
  const call = { request, right, address: context.env.address, pathValues }
  if (route.body.kind === 'none') return await route.handle({ ...call, body: new Uint8Array() })
  const { maxBytes } = route.body
  if (route.body.kind === 'streamed') {
    const declared = Number(request.headers.get('content-length') ?? 0)
    if (declared > maxBytes) return table.refuse({ kind: 'too_large', status: 413, maxBytes })
    const stream = limitStream(request.body, maxBytes)
    try {
      return await route.handle({ ...call, body: new Uint8Array(), stream })
    } finally {
      // What is left is of no use; nothing to do on one that has ended.
      if (!stream.locked) await stream.cancel().catch(() => undefined)
    }
  }
  const body = await readLimited(request.body, maxBytes)
  if (body === undefined) return table.refuse({ kind: 'too_large', status: 413, maxBytes })
  return await route.handle({ ...call, body })
}

function refuseMethod(table: RouteTable, allowed: readonly Method[]): Response {
  const refused = table.refuse({ kind: 'other_method', status: 405, allowed })
  if (!refused.headers.has('allow')) refused.headers.set('allow', allowed.join(', '))
  return refused
}

function methodsByPath(routes: readonly ServedRoute[]): Map<string, Method[]> {
  const byPath = new Map<string, Method[]>()
  for (const { path, methods } of routes) {
    const known = byPath.get(honoPath(path)) ?? []
    byPath.set(honoPath(path), [...known, ...methods])
  }
  return byPath
}

function check(tables: readonly RouteTable[]): void {
  const owners = new Map<string, RouteTable>()
  const known = new Set<string>()
  for (const table of tables)
    for (const { path, methods, body } of table.routes) {
      // Names in a path do not tell two routes apart.
      const shape = path.replaceAll(/\{\w+\}/g, '{}')
      const owner = owners.get(shape) ?? table
      if (owner !== table) throw new RangeError(`two tables have the path ${path}`)
      owners.set(shape, table)
      for (const method of methods) {
        if (known.has(`${method} ${shape}`)) throw new RangeError(`${method} ${path} stands twice`)
        known.add(`${method} ${shape}`)
      }
      if (body.kind !== 'none' && !methods.some(hasBody))
        throw new RangeError(`${path} has a body and no method that takes one`)
      if (body.kind === 'buffered' && body.maxBytes > MAX_FETCH_BODY_BYTES)
        throw new RangeError(`${path}: the HTTP engines hand over bodies up to 1 MiB`)
    }
}

function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}
