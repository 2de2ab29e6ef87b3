// A server to which events are sent on: it reads syslog messages framed by their length, or takes
// connections and never answers.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

export type OtherSide = {
  readonly address: string
  readonly kafkaAddress: string
  /** `message` of each event. */
  readonly texts: string[]
  /** That there were so far. */
  readonly connections: () => number
  close(): void
}

export async function startOtherSide({ isSilent = false } = {}): Promise<OtherSide> {
  const texts: string[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer({ allowHalfOpen: isSilent }, (socket) => {
    connections += 1
    sockets.add(socket)
    let got = ''
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (bytes) => {
      got += bytes.toString('latin1')
    })
    if (!isSilent) socket.on('end', () => texts.push(...messagesOf(got)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    ...{ texts, connections: () => connections },
    ...{ address: `tcp://127.0.0.1:${port}`, kafkaAddress: `kafka://127.0.0.1:${port}/topic` },
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** RFC 6587, 3.4.1, and what follows the head of RFC 5424: events of JSON. */
function messagesOf(framed: string): string[] {
  const texts: string[] = []
  let rest = framed
  while (rest !== '') {
    const [head = '', digits = ''] = /^(\d+) /.exec(rest) ?? []
    const end = head.length + Number(digits)
    if (head === '') throw new Error('no length of a message')
    const event: unknown = JSON.parse(rest.slice(head.length, end).replace(/^(?:\S+ ){7}/, ''))
    texts.push(String(Reflect.get(Object(event), 'message')))
    rest = rest.slice(end)
  }
  return texts
}
