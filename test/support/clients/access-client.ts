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
