// Forwarding to Kafka connects to no address that the guard refuses: neither one that an operator
// names nor one that a broker names. Nor does it collect an answer without end.
import { createServer, type Server, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { openProducer } from '../../../infra/event-log/kafka/open-producer.ts'
import { int16, int32 } from '../../support/event-log/kafka-double.ts'

const TOPIC = 'onward'
const METADATA = '169.254.169.254'
const PRODUCE_KEY = 0
const METADATA_KEY = 3
const API_VERSIONS_KEY = 18

// The second is a name for the system, and the address of the first.
it.each([`${METADATA}:9092`, '0xa9fea9fe:9092', '224.0.0.1:9092'])(
  'refuses the broker %s',
  async (broker) => {
    await expect(send(broker)).rejects.toThrow(/the product does not connect to the address/)
  },
)

it('refuses a leader that a broker names', async () => {
  const { port, requests } = await startBroker({ host: METADATA, port: 80 })
  await expect(send(`127.0.0.1:${port}`)).rejects.toThrow(
    `the product does not connect to the address ${METADATA}`,
  )
  // The broker was heard: the refusal is of what it named.
  expect(requests).toContain(METADATA_KEY)
})

it.each([0x7fff_fff0, -1, 0, 3])(
  'ends at an answer that says it is %i bytes long',
  async (length) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.write(Buffer.concat([int32(length), int32(0)])))
    })
    const port = await listen(server)
    onTestFinished(() => void server.close())
    await expect(send(`127.0.0.1:${port}`)).rejects.toThrow('an answer of a length that cannot be')
  },
)

async function send(broker: string): Promise<void> {
  const producer = await openProducer([broker], TOPIC)
  onTestFinished(() => producer.close())
  await producer.send([{ key: 'k', value: 'v', timestamp: '1767261600123', headers: {} }])
}

/** Answers what versions it speaks, and who leads the topic. */
async function startBroker(leader: { host: string; port: number }) {
  const requests: number[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let bytes = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk])
      while (bytes.length >= 4 && bytes.length >= 4 + bytes.readInt32BE(0)) {
        const key = bytes.readInt16BE(4)
        const version = bytes.readInt16BE(6)
        const correlation = bytes.subarray(8, 12)
        bytes = bytes.subarray(4 + bytes.readInt32BE(0))
        requests.push(key)
        const body = key === API_VERSIONS_KEY ? versions(version) : metadata(leader)
        socket.write(Buffer.concat([int32(4 + body.length), correlation, body]))
      }
    })
  })
  const port = await listen(server)
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port, requests }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

function versions(version: number): Buffer {
  const ranges = [PRODUCE_KEY, METADATA_KEY, API_VERSIONS_KEY].flatMap((key) => [
    int16(key),
    int16(0),
    int16(key === API_VERSIONS_KEY ? 2 : 0),
  ])
  const throttle = version > 0 ? [int32(0)] : []
  return Buffer.concat([int16(0), int32(3), ...ranges, ...throttle])
}

function metadata({ host, port }: { host: string; port: number }): Buffer {
  const node = int32(1)
  const brokers = [int32(1), node, text(host), int32(port)]
  const partition = [int16(0), int32(0), node, int32(1), node, int32(1), node]
  return Buffer.concat([...brokers, int32(1), int16(0), text(TOPIC), int32(1), ...partition])
}

function text(value: string): Buffer {
  return Buffer.concat([int16(value.length), Buffer.from(value)])
}
