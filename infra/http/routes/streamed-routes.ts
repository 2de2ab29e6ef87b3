// Which requests belong to routes whose bodies stream, for the HTTP engine: it asks before it reads
// a body.
import type { StreamsBody } from '../port.ts'
import type { Route } from './route.ts'

export function findStreamedRoutes(routes: readonly Route[]): StreamsBody {
  const streamed = routes
    .filter(({ body }) => body.kind === 'streamed')
    .map(({ methods, path }) => ({
      methods: new Set<string>(methods),
      pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    }))
  return (method, path) =>
    streamed.some(({ methods, pattern }) => methods.has(method) && pattern.test(path))
}
