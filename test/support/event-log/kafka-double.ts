// A broker of another age: it says which versions of requests it knows, names itself in its
// metadata (version 1), and closes on everything else.
import { createServer, type Socket } from 'node:net'

const API_VERSIONS = 18
const METADATA = 3

export type KafkaDouble = { readonly port: number; close(): Promise<void> }

/** `versions`: smallest and largest of each request by its number. */
export async function startKafkaDouble(
  versions: Readonly<Record<number, readonly [number, number]>>,
): Promise<KafkaDouble> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    let rest = Buffer.alloc(0)
    socket.on('data', (data) => {
      rest = Buffer.concat([rest, data])
      while (rest.length >= 4 && rest.length >= 4 + rest.readInt32BE(0)) {
        const size = rest.readInt32BE(0)
        const answer = answerTo(rest.subarray(4, 4 + size), versions, portOf(server))
        rest = rest.subarray(4 + size)
        if (answer === undefined) socket.destroy()
        else socket.write(Buffer.concat([int32(answer.length), answer]))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: portOf(server),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

function portOf(server: ReturnType<typeof createServer>): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

function answerTo(
  request: Buffer,
  versions: Readonly<Record<number, readonly [number, number]>>,
  port: number,
): Buffer | undefined {
  const [key, version, id] = [
    request.readInt16BE(0),
    request.readInt16BE(2),
    request.subarray(4, 8),
  ]
  if (key === API_VERSIONS) {
    const entries = Object.entries(versions).map(([number, [least, most]]) =>
      Buffer.concat([int16(Number(number)), int16(least), int16(most)]),
    )
    const throttle = version === 0 ? [] : [int32(0)]
    return Buffer.concat([id, int16(0), int32(entries.length), ...entries, ...throttle])
  }
  if (key !== METADATA || version !== 1) return undefined
  const host = Buffer.from('127.0.0.1')
  const rack = int16(-1)
  const broker = [int32(1), int16(host.length), host, int32(port), rack]
  const controller = int32(1)
  return Buffer.concat([id, int32(1), ...broker, controller, int32(0)])
}

export function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
