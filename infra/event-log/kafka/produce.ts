// Sends one batch through a connection of the client: its sign-in, correlation, time limit and
// order of answers, with our own bytes.
import type { Broker } from 'kafkajs/src/cluster/index.js'
import response from 'kafkajs/src/protocol/requests/produce/v7/response.js'
import { encodeProduce, PRODUCE_VERSION, type ProduceRequest } from './produce-request.ts'
import { KafkaTrouble } from './trouble.ts'

const PRODUCE = { apiKey: 0, apiName: 'Produce', apiVersion: PRODUCE_VERSION } as const

/** Resolves with the offset of the first block. Fails with an error of the client. */
export async function produce(
  broker: Broker,
  request: Omit<ProduceRequest, 'correlationId' | 'clientId'>,
): Promise<number> {
  const connection = await broker.connectionPool.getConnection()
  // Sessions end: what is sent after that would be refused.
  if (!connection.isAuthenticated()) await connection.authenticate()
  const correlationId = connection.nextCorrelationId()
  const parts = encodeProduce({ ...request, correlationId, clientId: connection.clientId })
  const { payload } = await new Promise<{ payload: Buffer }>((resolve, reject) => {
    connection.failIfNotConnected()
    connection.requestQueue.push({
      entry: { ...PRODUCE, correlationId, resolve, reject },
      expectResponse: true,
      requestTimeout: null,
      sendRequest: () => {
        const { socket } = connection
        // One system call for all parts.
        socket.cork()
        for (const part of parts) socket.write(part)
        socket.uncork()
      },
    })
  })
  const decoded = await response.decode(payload)
  connection.requestQueue.maybeThrottle(decoded.clientSideThrottleTime)
  const answer = await response.parse(decoded)
  const base = Number(answer.topics[0]?.partitions[0]?.baseOffset ?? Number.NaN)
  if (!Number.isSafeInteger(base) || base < 0) throw new KafkaTrouble('NO_OFFSET')
  return base
}
