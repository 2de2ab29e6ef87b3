// A line between two parts that can be bad in every way a line can: cut, half-open, slow, cut in
// the middle of a request, or good for requests only, so that the answer is lost after the work was
// done.
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

const LEAVE_MS = 2000

export type LineState =
  | { readonly kind: 'good' }
  /** Nobody gets in. */
  | { readonly kind: 'refused' }
  /** What is connected stays so, what is new is taken, nothing passes. */
  | { readonly kind: 'silent' }
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** A request loses its second half and its connection. */
  | { readonly kind: 'cut in requests' }
  /** Requests pass, the first byte of an answer ends the connection. */
  | { readonly kind: 'answers lost' }

export type FaultProxy = {
  readonly port: number
  /** For connections that are open and those that come. What a silent line held passes when it is
   *  good again, unless it was cut. */
  become(state: LineState): Promise<void>
  /** Everything that is open, at once. */
  cut(): void
  close(): Promise<void>
}

/** `targetPort` is asked at each connection: what is behind may have moved. */
export async function startFaultProxy(targetPort: () => number): Promise<FaultProxy> {
  const lines = new Set<Line>()
  let state: LineState = { kind: 'good' }
  let server: Server | undefined
  let port = 0
  const listen = async () => {
    if (server !== undefined) return
    server = createServer((client) => {
      const line: Line = new Line(client, connect(targetPort(), '127.0.0.1'), () =>
        lines.delete(line),
      )
      lines.add(line)
      line.become(state)
    }).listen(port, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address !== null && typeof address === 'object') port = address.port
  }
  const stopListening = async () => {
    if (server === undefined) return
    const closed = once(server, 'close')
    server.close()
    server = undefined
    cut()
    await closed
  }
  const cut = () => {
    for (const line of lines) line.cut()
  }
  await listen()
  return {
    port,
    become: async (next) => {
      state = next
      if (next.kind === 'refused') return await stopListening()
      await listen()
      for (const line of lines) line.become(next)
    },
    cut,
    close: stopListening,
  }
}

class Line {
  readonly #client: Socket
  readonly #server: Socket
  #state: LineState = { kind: 'good' }
  /** In order also when the delay changes. */
  #toServer: Promise<void> = Promise.resolve()
  #toClient: Promise<void> = Promise.resolve()

  constructor(client: Socket, server: Socket, onEnd: () => void) {
    this.#client = client
    this.#server = server
    for (const socket of [client, server]) socket.on('error', () => undefined)
    client.on('data', (bytes) => this.#onRequest(bytes))
    server.on('data', (bytes) => this.#onAnswer(bytes))
    // What is under way goes first; then both are gone, also when the other side does not answer
    // the end.
    client.on('close', () => void this.#toServer.then(() => leave(server)))
    server.on('close', () => void this.#toClient.then(() => leave(client)))
    let open = 2
    for (const socket of [client, server]) {
      socket.on('close', () => {
        open -= 1
        if (open === 0) onEnd()
      })
    }
  }

  become(state: LineState): void {
    this.#state = state
    const isSilent = state.kind === 'silent'
    for (const socket of [this.#client, this.#server]) {
      if (isSilent) socket.pause()
      else socket.resume()
    }
  }

  cut(): void {
    this.#client.destroy()
    this.#server.destroy()
  }

  #onRequest(bytes: Buffer): void {
    const isCut = this.#state.kind === 'cut in requests'
    const passed = isCut ? bytes.subarray(0, bytes.length >> 1) : bytes
    this.#toServer = this.#pass(this.#toServer, this.#server, passed)
    if (isCut) void this.#toServer.then(() => this.cut())
  }

  #onAnswer(bytes: Buffer): void {
    if (this.#state.kind === 'answers lost') this.cut()
    else this.#toClient = this.#pass(this.#toClient, this.#client, bytes)
  }

  /** Small requests and answers: nothing is held back when the other side is slow. */
  async #pass(before: Promise<void>, to: Socket, bytes: Buffer): Promise<void> {
    const delayMs = this.#state.kind === 'slow' ? this.#state.delayMs : 0
    const late = delayMs > 0 ? sleep(delayMs) : undefined
    await before
    await late
    if (to.writable) to.write(bytes)
  }
}

function leave(socket: Socket): void {
  socket.end()
  setTimeout(() => socket.destroy(), LEAVE_MS).unref()
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
