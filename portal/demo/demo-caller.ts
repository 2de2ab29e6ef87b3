// The demo makes the calls that everybody makes, without a socket: what they refuse, it cannot do.
import type { PortalApp } from '../app.ts'

export type DemoCall = {
  readonly method?: string
  /** Below /api/portal/v1. */
  readonly path: string
  /** A credential. */
  readonly as?: string
  /** The organization that the call acts for. */
  readonly of?: string
  readonly body?: unknown
  /** Of the client. */
  readonly address?: string
}

/** Resolves with the parsed answer, or undefined where it has no body. */
export type DemoCaller = (call: DemoCall) => Promise<unknown>

const OFFICE = '192.0.2.10'

export function makeDemoCaller({ fetch }: Pick<PortalApp, 'fetch'>): DemoCaller {
  return async ({ path, as, of, body, method, address = OFFICE }) => {
    const request = new Request(`http://demo.invalid/api/portal/v1${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
        ...(of === undefined ? {} : { 'x-organization-id': of }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const response = await fetch(request, { address })
    const text = await response.text()
    if (!response.ok) throw new Error(`the demo's call ${path} was refused: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
}
