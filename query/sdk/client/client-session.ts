// A session of one run of the client: with a second factor a password opens nothing else.
import { z } from 'zod'
import { type Reply, type SentCall, sendCall } from './send-call.ts'

const sessionSchema = z.object({ csrfToken: z.string() })

export type ClientSession = {
  readonly kind: 'session'
  readonly headers: Readonly<Record<string, string>>
  /** It would end by itself; this does not wait for it. */
  readonly end: () => Promise<void>
}

/** `call`: where to, and how. */
export async function beginClientSession(
  call: SentCall,
  credentials: { readonly user: string; readonly password: string; readonly code: string },
): Promise<ClientSession | Reply> {
  const url = new URL('/logeye/session', call.url)
  const begun = await sendCall({ ...call, url, body: JSON.stringify(credentials), headers: {} })
  if (begun.kind === 'unreachable' || !begun.envelope.success) return begun
  const session = sessionSchema.safeParse(begun.envelope.response)
  if (!session.success) return { kind: 'unreachable', reason: 'something else answers there' }
  const headers = { cookie: begun.cookies.join('; '), 'x-csrf-token': session.data.csrfToken }
  const end = async () => {
    const connection = { ...call.connection, method: 'DELETE' } as const
    await sendCall({ url, body: '', headers, connection })
  }
  return { kind: 'session', headers, end }
}
