// Sends mail by SMTP (docs/decisions/0056). Each wait ends; what a mail quotes is text, never a
// file or an address that is fetched.
import { createTransport } from 'nodemailer'
import { Failure } from '../../schemas/failures.ts'

const CONNECT_MS = 10_000
const ANSWER_MS = 20_000
const PLAIN_PORT = 587
const TLS_PORT = 465

export type Mail = {
  readonly to: string
  readonly subject: string
  readonly text: string
}

type Letter = Omit<Mail, 'to'> & {
  readonly to: string | readonly string[]
  /** `<…@…>`: the same at each try, so that a repeat is known. */
  readonly messageId?: string
  /** Beside the text; its pictures are attachments with a `cid`. */
  readonly html?: string
  readonly attachments?: readonly {
    readonly filename: string
    readonly contentType: string
    readonly content: Buffer
    readonly cid?: string
  }[]
}

export type Mailer = {
  /** Resolves when the server has taken it; several addresses get the same mail. Fails with
   *  mail.refused, mail.unreachable. */
  send(letter: Letter): Promise<void>
  close(): void
}

/** `url`: smtp://user:password@host:587 or smtps://…; STARTTLS is needed where a password is sent
 *  to another machine. */
export function openMailer({ url, from }: { url: string; from: string }): Mailer {
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? TLS_PORT : PLAIN_PORT) : Number(port),
    secure,
    requireTLS: !secure && username !== '' && !isHere,
    ...(username === '' ? {} : { auth }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: ANSWER_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async ({ to, subject, text, messageId, html, attachments = [] }) => {
      try {
        const addresses = typeof to === 'string' ? [to] : to
        const list = addresses.map((address) => ({ name: '', address }))
        await transport.sendMail({
          ...{ from, to: list, subject, text },
          ...(messageId === undefined ? {} : { messageId }),
          ...(html === undefined ? {} : { html }),
          attachments: [...attachments],
        })
      } catch (error) {
        throw toFailure(error)
      }
    },
    close: () => transport.close(),
  }
}

/** The texts of a server may quote the mail. */
function toFailure(error: unknown): Failure {
  const code = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0
  // 5xx: it will not take it later either.
  return code >= 500 && code < 600
    ? new Failure('mail.refused', { code }, error)
    : new Failure('mail.unreachable', {}, error)
}
