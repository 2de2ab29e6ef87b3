// One HTTP request to the outside: to the address that the guard found, no redirect followed, of
// the answer no more than asked for.
import { request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { rootCertificates } from 'node:tls'
import { findAddress, OutboundError } from './find-address.ts'

export type OutboundAnswer = { readonly status: number; readonly body: string }

/** Rejects with OutboundError, or with an error of the system; `describeConnection` says both. */
export async function sendRequest(options: {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** PEM, trusted beside the usual ones; '' for none. */
  readonly certificate: string
  readonly maxBytes: number
  readonly signal: AbortSignal
}): Promise<OutboundAnswer> {
  const { url, headers, certificate, maxBytes, signal } = options
  const { address, family } = await findAddress(url.hostname, signal)
  const isTls = url.protocol === 'https:'
  const send = isTls ? tlsRequest : plainRequest
  return await new Promise((resolve, reject) => {
    const sent = send(
      url,
      {
        ...{ method: 'GET', headers, signal, agent: false },
        // Whatever the name means by now. Several at once is how Node asks.
        lookup: (_, { all }, done) =>
          all === true ? done(null, [{ address, family }]) : done(null, address, family),
        ...(isTls && certificate !== '' ? { ca: [...rootCertificates, certificate] } : {}),
      },
      (answer) => {
        const parts: Buffer[] = []
        let bytes = 0
        answer.on('data', (part: Buffer) => {
          bytes += part.length
          parts.push(part)
          if (bytes > maxBytes) sent.destroy(new OutboundError('its answer is too large'))
        })
        answer.on('error', reject)
        answer.on('end', () => {
          resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(parts).toString('utf8') })
        })
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}
