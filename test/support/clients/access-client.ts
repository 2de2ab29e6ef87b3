// Calls of the query app that sign in in one way or another.
import type { openTestApp } from '../apps/query-app.ts'

export type Told = { readonly status: number; readonly error: string; readonly response: unknown }

export const basic = (name: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
})

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** A command of the SDK. */
export async function askSdk(
  { call }: Pick<ReturnType<typeof openTestApp>, 'call'>,
  command: string,
  given: Record<string, string>,
  headers: Record<string, string>,
): Promise<Told> {
  const answer = await call(`/logeye/sdk/${command}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(given),
  })
  const { errorMessage, response } = (await answer.json()) as {
    errorMessage: string | null
    response: unknown
  }
  return { status: answer.status, error: errorMessage ?? '', response }
}

/** One text of the answer of a command. */
export function textOf({ response }: Told, name: string): string {
  const value = (response as Record<string, unknown> | null)?.[name]
  return typeof value === 'string' ? value : ''
}

export type Session = {
  readonly status: number
  readonly error: string
  /** Of the answer, with its attributes. */
  readonly setCookie: string
  /** As a browser sends it. */
  readonly headers: { readonly cookie: string }
  readonly csrf: { readonly 'x-csrf-token': string }
}

/** A browser signs in. */
export async function signInAs(
  { call }: Pick<ReturnType<typeof openTestApp>, 'call'>,
  given: { user: string; password: string; code?: string },
  address = '10.0.0.1',
): Promise<Session> {
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(given) }
  const answer = await call('/logeye/session', init, address)
  const { errorMessage, response } = (await answer.json()) as {
    errorMessage: string | null
    response: { csrfToken: string } | null
  }
  const setCookie = answer.headers.get('set-cookie') ?? ''
  return {
    ...{ status: answer.status, error: errorMessage ?? '', setCookie },
    headers: { cookie: setCookie.split(';')[0] ?? '' },
    csrf: { 'x-csrf-token': response?.csrfToken ?? '' },
  }
}
