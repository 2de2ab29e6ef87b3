// A TCP proxy before a Kafka broker that passes requests on and can lose the answer to an append: the broker has done the work,
// and who asked never learns of it.
import { connect, createServer, type Server, type Socket } from 'node:net'

const PRODUCE = 0

export class AnswerCutter {
  /** Answers to appends that are still to be lost. */
  toLose = 0
  lost = 0
  readonly #target: number
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  constructor(target: number) {
    this.#target = target
    this.#server = createServer((client) => this.#join(client))
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve))
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
      // A small request comes in one piece: 4 bytes of length, 2 of what is asked.
      if (this.toLose > 0 && bytes.length > 6 && bytes.readInt16BE(4) === PRODUCE) {
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
