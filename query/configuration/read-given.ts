// Parameters of the calls that read configuration: those of the address. Unknown ones are ignored;
// one that stands twice is a mistake.
import type { RouteCall } from '../../infra/http/routes/route.ts'
import { Failure } from '../../schemas/failures.ts'
import type { Given, Surface } from '../edge/surface.ts'

export function readAddress({ request }: RouteCall): Given {
  return { pairs: [...new URL(request.url).searchParams] }
}

/** Undefined: not given. */
export function findParameter({ pairs }: Given, name: string): string | undefined {
  const [first, second] = pairs.filter(([given]) => given === name)
  if (second !== undefined) throw refuse(name, 'given more than once')
  return first?.[1]
}

export function refuse(parameter: string, reason: string, cause?: unknown): Failure {
  return new Failure('request.invalid', { reason: `${parameter}: ${reason}` }, cause)
}

export const READ_SURFACE = {
  read: readAddress,
  bug: { phrase: 'configuration read failed', code: 'request.internal' },
  isCounted: false,
} as const satisfies Partial<Surface<Given, unknown>>
