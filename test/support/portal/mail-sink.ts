// A mail server that keeps what it is sent.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { waitUntil } from '../run/wait-until.ts'

export type Received = { readonly to: readonly string[]; readonly raw: string }

export type MailSink = {
  readonly url: string
  readonly mails: readonly Received[]
  /** The text of the next mail to this address, decoded. */
  next(to: string): Promise<string>
  /** From now on it answers with this code; 0: it takes mails. */
  refuseWith(code: number): void
  close(): Promise<void>
}

export async function startMailSink(): Promise<MailSink> {
  const mails: Received[] = []
  const taken = new Set<Received>()
  let refusal = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onRcptTo: (_address, _session, callback) => {
      if (refusal === 0) return callback()
      callback(Object.assign(new Error('refused'), { responseCode: refusal }))
    },
    onData: (stream, session, callback) => {
      let raw = ''
      stream.on('data', (chunk: Buffer) => {
        raw += chunk.toString('utf8')
      })
      stream.on('end', () => {
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw })
        callback()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    next: async (to) => {
      const mail = await waitUntil(
        `a mail to ${to} has come`,
        () => mails.find((it) => it.to.includes(to) && !taken.has(it)),
        () => mails.map((it) => it.to),
      )
      taken.add(mail)
      return decodeText(mail.raw)
    },
    refuseWith: (code) => {
      refusal = code
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Quoted-printable lines are joined. */
function decodeText(raw: string): string {
  return raw
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
