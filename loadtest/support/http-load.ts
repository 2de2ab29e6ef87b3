// A lean HTTP/1.1 load driver: raw sockets with keep-alive, one request in flight each, prepared
// request bytes. Bounded in count or time.
import { connect, type Socket } from 'node:net'

export type LoadOptions = {
  readonly port: number
  readonly connections: number
  /** The bytes of the n-th request, or null when there is none left. */
  readonly request: (number: number) => readonly Buffer[] | null
  /** No request starts after this. */
  readonly limitMs: number
  /** Requests a second over all connections; absent: as many as go. */
  readonly ratePerSecond?: number
}

export type LoadResult = {
  readonly byStatus: ReadonlyMap<number, number>
  readonly failedConnections: number
  readonly elapsedMs: number
  /** Of answers with 200, ascending. */
  readonly latenciesMs: Float64Array
  /** Numbers of the requests that were answered 200. */
  readonly acknowledged: readonly number[]
}

export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const byStatus = new Map<number, number>()
  const latencies: number[] = []
  const acknowledged: number[] = []
  let failedConnections = 0
  let next = 0
  const started = performance.now()

  /** Milliseconds to wait before request `number` may start at the asked rate. */
  const delayMs = (number: number) =>
    options.ratePerSecond === undefined
      ? 0
      : (number / options.ratePerSecond) * 1000 - (performance.now() - started)

  async function drive(): Promise<void> {
    const socket = connect({ port: options.port, host: '127.0.0.1', noDelay: true })
    const answers = readAnswers(socket)
    try {
      for (;;) {
        const number = next
        const parts = options.request(number)
        if (parts === null || performance.now() - started > options.limitMs) return
        next += 1
        const waitMs = delayMs(number)
        if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
        // Open-loop at a fixed rate: the latency counts from when the request should have started.
        const sent =
          performance.now() + Math.min(0, options.ratePerSecond === undefined ? 0 : delayMs(number))
        for (const part of parts) socket.write(part)
        const status = await answers.next()
        byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
        if (status === 200) {
          latencies.push(performance.now() - sent)
          acknowledged.push(number)
        }
      }
    } catch {
      failedConnections += 1
    } finally {
      socket.destroy()
    }
  }

  await Promise.all(Array.from({ length: options.connections }, drive))
  return {
    byStatus,
    failedConnections,
    elapsedMs: performance.now() - started,
    latenciesMs: Float64Array.from(latencies).sort(),
    acknowledged,
  }
}

export function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** One POST as bytes. */
export function makePost(
  path: string,
  body: Buffer,
  headers: Readonly<Record<string, string>> = {},
): Buffer[] {
  const lines = Object.entries({ 'Content-Type': 'application/json', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${body.length}\r\n${lines.join('')}\r\n`
  return body.length < 4096 ? [Buffer.concat([Buffer.from(head), body])] : [Buffer.from(head), body]
}

const ANSWER_LIMIT_MS = 120_000

/** Status codes of the answers on one connection, in order. Only answers with Content-Length. */
function readAnswers(socket: Socket): { next(): Promise<number> } {
  let buffer = Buffer.alloc(0)
  let settle: { resolve: (status: number) => void; reject: (error: Error) => void } | undefined
  let failure: Error | undefined
  const fail = (error: Error) => {
    failure = error
    settle?.reject(error)
  }
  socket.setTimeout(ANSWER_LIMIT_MS, () => fail(new Error('no answer')))
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('closed')))
  socket.on('data', (chunk) => {
    buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk])
    const headEnd = buffer.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const head = buffer.toString('latin1', 0, headEnd)
    const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0)
    if (buffer.length < headEnd + 4 + length) return
    buffer = buffer.subarray(headEnd + 4 + length)
    settle?.resolve(Number(head.slice(9, 12)))
  })
  return {
    next: () =>
      new Promise((resolve, reject) => {
        if (failure) reject(failure)
        settle = { resolve, reject }
      }),
  }
}
