// A TCP proxy before a server that passes requests on and can lose the answer to one of a kind: the
// server has done the work, and who asked never learns of it.
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** Does a request begin with these bytes whose answer is to be lost? */
export type RequestTest = (bytes: Buffer) => boolean

/** A small request comes in one piece: 4 bytes of length, 2 of what is asked. */
const asksKafka =
  (what: number): RequestTest =>
  (bytes) =>
    bytes.length > 6 && bytes.readInt16BE(4) === what
export const isAppend = asksKafka(0)
export const isCommit = asksKafka(8)
/** To ClickHouse over HTTP. */
export const isInsert: RequestTest = (bytes) =>
  /^POST \/\S*query=INSERT/.test(bytes.toString('latin1', 0, 4096))

export class AnswerCutter {
  /** Answers that are still to be lost, and to what. */
  toLose = 0
  isAsked = isAppend
  lost = 0
  readonly #target: number
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  constructor(target: number) {
    this.#target = target
    this.#server = createServer((client) => this.#join(client))
  }

  /** Resolves with the port; 0 takes a free one. */
  async listen(port: number): Promise<number> {
    this.#server.listen(port, '127.0.0.1')
    await once(this.#server, 'listening')
    const address = this.#server.address()
    return address !== null && typeof address === 'object' ? address.port : port
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }

  #join(client: Socket): void {
    const broker = connect(this.#target, '127.0.0.1')
    let isLosing = false
    const end = () => {
      client.destroy()
      broker.destroy()
    }
    for (const socket of [client, broker]) {
      this.#sockets.add(socket)
      socket.on('error', end)
      socket.on('close', () => {
        this.#sockets.delete(socket)
        end()
      })
    }
    client.on('data', (bytes) => {
      if (this.toLose > 0 && this.isAsked(bytes)) {
        this.toLose -= 1
        isLosing = true
      }
      broker.write(bytes)
    })
    broker.on('data', (bytes) => {
      if (!isLosing) return void client.write(bytes)
      this.lost += 1
      end()
    })
  }
}
