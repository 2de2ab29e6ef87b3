// Clients that hold a connection and take or give next to nothing: of one kind a byte of the body
// now and then, of the other requests whose answers nobody reads.
import { connect, type Socket } from 'node:net'
import { makePost } from './http-load.ts'

/** `step` is to be called so often. */
export const STEP_MS = 500
const SEND_EVERY_MS = 4000
const BODY_BYTES = 2000
/** At a time, of who reads no answer. */
const UNREAD_REQUESTS = 5

type Kind = 'drip' | 'unread'

/** Bounded by the number added; who is cut off is opened again with the next step. */
export class SlowClients {
  readonly #port: number
  readonly #head: Buffer
  readonly #requests: Buffer
  readonly #dripping = new Set<Socket>()
  readonly #lost: Kind[] = []
  #isClosed = false
  #sockets = new Set<Socket>()
  #steps = 0
  opened = 0

  constructor(port: number, path: string) {
    this.#port = port
    this.#head = Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${BODY_BYTES}\r\n\r\n{`,
    )
    const request = Buffer.concat(
      makePost(path, Buffer.from('{"message":"nobody reads the answer"}')),
    )
    this.#requests = Buffer.concat(Array.from({ length: UNREAD_REQUESTS }, () => request))
  }

  get open(): number {
    return this.#sockets.size
  }

  add(kind: Kind): void {
    const socket = connect({ port: this.#port, host: '127.0.0.1' })
    this.opened += 1
    this.#sockets.add(socket)
    socket.pause()
    socket.on('error', () => undefined)
    socket.once('connect', () => {
      socket.write(kind === 'drip' ? this.#head : this.#requests)
      if (kind === 'drip') this.#dripping.add(socket)
    })
    socket.once('close', () => {
      this.#sockets.delete(socket)
      this.#dripping.delete(socket)
      if (!this.#isClosed) this.#lost.push(kind)
    })
  }

  step(): void {
    for (const kind of this.#lost.splice(0)) this.add(kind)
    this.#steps += 1
    if ((this.#steps * STEP_MS) % SEND_EVERY_MS !== 0) return
    for (const socket of this.#sockets) {
      if (socket.connecting || socket.writableLength > 0) continue
      socket.write(this.#dripping.has(socket) ? ' ' : this.#requests)
    }
  }

  close(): void {
    this.#isClosed = true
    for (const socket of this.#sockets) socket.destroy()
  }
}
