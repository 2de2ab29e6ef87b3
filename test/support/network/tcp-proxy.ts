// A door to a server of this machine that a test can shut.
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

export type TcpProxy = {
  readonly port: number
  /** Refuses new connections and cuts off the open ones. */
  cut(): Promise<void>
  open(): Promise<void>
  /** What is connected stays so, but nothing passes any more. */
  freeze(): void
}

export async function startTcpProxy(
  targetPort: number,
  targetHost = '127.0.0.1',
): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let server: Server | undefined
  let port = 0
  let isFrozen = false
  const accept = (client: Socket) => {
    const target = connect(targetPort, targetHost)
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        target.destroy()
      })
    }
    if (isFrozen) return
    client.pipe(target)
    target.pipe(client)
  }
  const open = async () => {
    isFrozen = false
    if (server !== undefined) return
    server = createServer(accept).listen(port, '127.0.0.1')
    server.unref()
    await once(server, 'listening')
    const address = server.address()
    if (address !== null && typeof address === 'object') port = address.port
  }
  await open()
  return {
    get port() {
      return port
    },
    open,
    cut: async () => {
      for (const socket of sockets) socket.destroy()
      if (server === undefined) return
      const closed = once(server, 'close')
      server.close()
      server = undefined
      await closed
    },
    freeze: () => {
      isFrozen = true
      for (const socket of sockets) {
        socket.unpipe()
        socket.pause()
      }
    },
  }
}
