// Forwarding by syslog: messages of RFC 5424, over TCP framed by their length (RFC 6587, 3.4.1),
// over UDP one a datagram (RFC 5426).
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type FoundAddress, findAddress } from '../../../infra/outbound/find-address.ts'
import { readTime } from '../event-time.ts'
import type { ForwardedEvent } from '../forwarded-event.ts'
import { type ForwardBatch, ForwardFault, type ForwardTarget } from './target.ts'

/** Facility user, severity informational: a log's own levels are columns, not syslog's. */
const PRIORITY = 14
/** Of an IPv4 datagram with its headers. */
const MAX_DATAGRAM_BYTES = 65_507
const CLOSE_MS = 10_000

export function openSyslogTarget(url: URL): ForwardTarget {
  const send = url.protocol === 'udp:' ? sendDatagrams : sendStream
  return {
    send: async (batch, signal) => {
      const found = await findAddress(url.hostname, signal)
      await send(
        batch.events.map((event) => printMessage(event, batch)),
        found,
        {
          ...{ port: Number(url.port), signal },
        },
      )
    },
    close: async () => undefined,
  }
}

/** RFC 5424, 6: no structured data; the text may have line ends. */
export function printMessage(event: ForwardedEvent, { nameOf }: Pick<ForwardBatch, 'nameOf'>) {
  const name = (text: string, most: number) =>
    text.replace(/[^\x21-\x7e]+/g, '_').slice(0, most) || '-'
  const host = name(event.host, 255)
  const application = name(nameOf(event.logId), 48)
  const head = `<${PRIORITY}>1 ${readTime(event)} ${host} ${application} - - - `
  return Buffer.from(`${head}${event.text}`)
}

type To = { readonly port: number; readonly signal: AbortSignal }

/** A connection a batch: its end by the other side says that it has read all. */
async function sendStream(
  messages: readonly Buffer[],
  { address }: FoundAddress,
  { port, signal }: To,
): Promise<void> {
  const socket = connect({ host: address, port })
  try {
    await once(socket, 'connect', { signal })
    const ended = once(socket, 'end', { signal })
    ended.catch(() => undefined)
    socket.resume()
    const framed = messages.map((bytes) => Buffer.concat([Buffer.from(`${bytes.length} `), bytes]))
    socket.end(Buffer.concat(framed))
    await once(socket, 'finish', { signal })
    const late = AbortSignal.timeout(CLOSE_MS)
    const isLate = new Promise<never>((_, reject) => {
      late.addEventListener('abort', () =>
        reject(new ForwardFault('it does not end its side of the connection')),
      )
    })
    await Promise.race([ended, isLate])
  } finally {
    socket.on('error', () => undefined)
    socket.destroy()
  }
}

/** Nobody says whether they came. */
async function sendDatagrams(
  messages: readonly Buffer[],
  { address, family }: FoundAddress,
  { port, signal }: To,
): Promise<void> {
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4')
  let fail: (error: Error) => void = () => undefined
  // Where the machine gives no port or has no such family, which no call of `send` is told.
  socket.on('error', (error) => fail(error))
  try {
    for (const bytes of messages) {
      signal.throwIfAborted()
      await new Promise<void>((resolve, reject) => {
        fail = reject
        socket.send(bytes.subarray(0, MAX_DATAGRAM_BYTES), port, address, (error) =>
          error ? reject(error) : resolve(),
        )
      })
    }
  } finally {
    socket.close()
  }
}
