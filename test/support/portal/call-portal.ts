// Calls a running portal over HTTP.

/** The JSON of the answer; throws when the call failed. `path` is the part after /api/portal/v1. */
export async function callPortal(
  url: string,
  call: {
    readonly path: string
    readonly as?: string
    /** Absent: GET. */
    readonly body?: unknown
    readonly headers?: Readonly<Record<string, string>>
  },
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads of an answer, it checks.
): Promise<any> {
  const { path, as, body, headers } = call
  const answer = await fetch(`${url}/api/portal/v1${path}`, {
    headers: {
      ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return await answer.json()
}
