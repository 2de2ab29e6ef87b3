// Each way on, over both databases: what was sent when the forwarder ends is sent again as the
// same, and then what came since; positions, addresses and their secrets lie in the database.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Kafka, logLevel } from 'kafkajs'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { addBookAccount } from '../../../infra/metastore/address-book/book-accounts.ts'
import { readForwardPositions } from '../../../infra/metastore/forwarding/forward-positions.ts'
import { changePolicy } from '../../../infra/metastore/policies/collection-policies.ts'
import { SecretKeys } from '../../../infra/secrets/secret-keys.ts'
import { kafkaMissing, startKafka } from '../../support/event-log/kafka-broker.ts'
import { type RunningForwarder, startForwarder } from '../../support/forward/forwarder.ts'
import { startOtherSide } from '../../support/forward/other-side.ts'
import { SOON } from '../../support/run/patience.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { openWriterPlace, type WriterPlace } from '../../support/writer/writer-place.ts'

const POLICY = 2
const MISSING = kafkaMissing()

let place: WriterPlace
let forwarder: RunningForwarder | undefined
let seconds = 0
beforeAll(async () => {
  place = await openWriterPlace()
})
afterAll(() => place?.close())
afterEach(async () => {
  await forwarder?.stop()
  forwarder = undefined
  await forward('')
  await place.clear()
})

it('syslog over TCP', async () => {
  const other = await startOtherSide()
  await forward(other.address)
  await receive('first')
  start()
  await expect.poll(() => other.texts, SOON).toEqual(['first'])
  await noted()
  await restartAfter('second')
  await expect.poll(() => other.texts, SOON).toEqual(['first', 'second'])
  other.close()
})

it('syslog over UDP', async () => {
  const socket = createSocket('udp4')
  const texts: string[] = []
  socket.on('message', (bytes) => texts.push(messageOf(`${bytes}`.replace(/^(?:\S+ ){7}/, ''))))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  await forward(`udp://127.0.0.1:${socket.address().port}`)
  await receive('first')
  start()
  await expect.poll(() => texts, SOON).toEqual(['first'])
  await noted()
  await restartAfter('second')
  await expect.poll(() => texts, SOON).toEqual(['first', 'second'])
  socket.close()
})

it('HTTP, the same again until it is taken', async () => {
  const other = await startHttp()
  other.status = 500
  await forward(`http://127.0.0.1:${other.port}/take`)
  await receive('first')
  start()
  await expect.poll(() => other.requests.length, SOON).toBeGreaterThan(0)
  await restartAfter('second')
  other.status = 204
  await expect.poll(() => other.taken(), SOON).toEqual(['first', 'second'])
  const keys = other.requests.map(({ headers }) => headers['idempotency-key'])
  const ofFirst = other.requests.filter(({ body }) => body.includes('first'))
  expect(ofFirst.length).toBeGreaterThan(1)
  expect(new Set(ofFirst.map(({ body }) => body)).size).toBe(1)
  expect(new Set(keys).size).toBe(2)
  await other.close()
})

it('the listener of another Logeye, whose address is a secret', async () => {
  const other = await startHttp()
  const { database } = place.metastore
  const keys = new SecretKeys(join(place.dataDir, 'keys'), testClock)
  const sealing = { clock: testClock, keys, key: await keys.current(database.read) }
  const targetURL = `http://127.0.0.1:${other.port}/logeye/api/logger.jsp?token=secret`
  await forward('account:main site')
  await receive('first')
  start()
  await expect.poll(() => forwarder?.metrics(), SOON).toMatch(/logeye_forward_failing\S* 1/)
  await database.write((transaction) =>
    addBookAccount(transaction, sealing, {
      ...{
        kind: 'alertTarget',
        name: 'Main site',
        secrets: { targetURL, signingSecret: 'whsec_' },
      },
      settings: { type: 'webhook', to: [], digest: '', timeZone: '' },
    }),
  )
  await expect.poll(() => other.taken(), SOON).toEqual(['first'])
  await noted()
  await restartAfter('second')
  await expect.poll(() => other.taken(), SOON).toEqual(['first', 'second'])
  for (const { path } of other.requests)
    expect(path).toBe('/logeye/api/logger.jsp?token=secret&hostName=web-01')
  await other.close()
})

it('Kafka', async (context) => {
  if (MISSING !== undefined) context.skip(MISSING)
  const cluster = await startKafka()
  const kafka = new Kafka({
    ...{ clientId: 'test', brokers: cluster.addresses.split(','), logLevel: logLevel.NOTHING },
  })
  const admin = kafka.admin()
  await admin.connect()
  await admin.createTopics({ topics: [{ topic: 'onward', numPartitions: 1 }] })
  await admin.disconnect()
  await forward(`kafka://${cluster.addresses}/onward`)
  await receive('first')
  start()
  const texts: string[] = []
  const consumer = kafka.consumer({ groupId: 'test' })
  await consumer.connect()
  await consumer.subscribe({ topic: 'onward', fromBeginning: true })
  await consumer.run({
    eachMessage: async ({ message }) => void texts.push(messageOf(`${message.value}`)),
  })
  await expect.poll(() => texts, SOON).toEqual(['first'])
  await noted()
  await restartAfter('second')
  await expect.poll(() => texts, SOON).toEqual(['first', 'second'])
  await consumer.disconnect()
  await cluster.stop()
})

function start(): void {
  forwarder = startForwarder(place)
}

/** That the other side has taken it: until then it may be sent again. */
async function noted(): Promise<void> {
  const isNoted = async () => (await positions()).every(({ to }) => to === undefined)
  await expect.poll(isNoted, SOON).toBe(true)
}

const positions = () => readForwardPositions(place.metastore.database.read, POLICY)

/** Where it stands is known to the database alone. */
async function restartAfter(message: string): Promise<void> {
  await forwarder?.stop()
  expect(await positions()).not.toEqual([])
  await receive(message)
  start()
}

async function receive(message: string): Promise<void> {
  seconds += 1
  const receivedMs = testClock.nowMs() + seconds
  await place.append([{ accountId: POLICY, receivedMs, events: [{ message, log: 'a' }] }])
  await place.storeAll()
}

async function forward(forwardTo: string): Promise<void> {
  await place.metastore.database.write((transaction) =>
    changePolicy(transaction, `p${POLICY}`, { forwardTo }, testClock),
  )
}

function messageOf(event: string): string {
  return String(Reflect.get(Object(JSON.parse(event)), 'message'))
}

async function startHttp() {
  const requests: { path: string; headers: IncomingHttpHeaders; body: string; status: number }[] =
    []
  const other = {
    requests,
    status: 200,
    port: 0,
    /** In their order. */
    taken: () =>
      requests
        .filter(({ status }) => status < 300)
        .flatMap(({ body }) =>
          JSON.parse(body).map((event: object) => Reflect.get(event, 'message')),
        ),
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      const { url: path = '', headers } = request
      requests.push({ path, headers, body, status: other.status })
      response.writeHead(other.status).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  other.port = (server.address() as AddressInfo).port
  return other
}
