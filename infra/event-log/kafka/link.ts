// A link to the brokers: connections of its own, since a broker answers the requests of one
// connection one after the other. Each request has a time limit; after one without an answer the
// connections are dropped and made anew, so that nothing waits for a broker that hangs. Fails
// with KafkaTrouble only.
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import Cluster, { type Broker } from 'kafkajs/src/cluster/index.js'
import type { Clock } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import type { KafkaAddress } from './address.ts'
import { quietNegativeTimers } from './quiet-timers.ts'
import {
  hasCode,
  isCoordinatorMoved,
  isMoved,
  isNoAnswer,
  KafkaTrouble,
  toTrouble,
} from './trouble.ts'

const CONNECT_TIMEOUT_MS = 3000
/** What is looked for: who keeps a group, not a transaction. */
const GROUP = 0

export type LinkOptions = {
  readonly address: KafkaAddress
  readonly clock: Clock
  readonly logger: Logger
  /** A request without an answer for so long has failed; its own waiting time comes on top. */
  readonly requestTimeoutMs: number
}

type Connection = {
  readonly cluster: Cluster
  readonly sockets: Set<Socket>
  readonly ready: Promise<void>
}

export class KafkaLink {
  readonly #options: LinkOptions
  #connection: Connection | undefined
  #coordinator: Broker | undefined
  #isStale = false
  #rotation = 0
  #isClosed = false

  constructor(options: LinkOptions) {
    quietNegativeTimers()
    this.#options = options
  }

  /** At the leader of the partition. `waitMs`: what the broker itself may take. */
  async atLeader<T>(
    partition: number,
    run: (broker: Broker) => Promise<T>,
    waitMs = 0,
  ): Promise<T> {
    return await this.#limited(waitMs, async (cluster) => {
      const { topic } = this.#options.address
      await cluster.addTargetTopic(topic)
      if (this.#isStale) await cluster.refreshMetadata()
      this.#isStale = false
      const found = cluster
        .findTopicPartitionMetadata(topic)
        .find(({ partitionId }) => partitionId === partition)
      if (found === undefined || found.leader < 0) throw new KafkaTrouble('LEADER_NOT_AVAILABLE')
      return await run(await cluster.findBroker({ nodeId: found.leader }))
    })
  }

  /** At the broker that keeps the positions of our group. */
  async atCoordinator<T>(run: (broker: Broker) => Promise<T>, waitMs = 0): Promise<T> {
    return await this.#limited(waitMs, async (cluster) => {
      const { group } = this.#options.address
      const coordinator = this.#coordinator ?? (await findCoordinator(cluster, group))
      // Of a connection that was dropped meanwhile it is of no use to the next request.
      if (this.#connection?.cluster === cluster) this.#coordinator = coordinator
      return await run(coordinator)
    })
  }

  async atController<T>(run: (broker: Broker, cluster: Cluster) => Promise<T>): Promise<T> {
    return await this.#limited(0, async (cluster) => {
      await cluster.refreshMetadata()
      return await run(await cluster.findControllerBroker(), cluster)
    })
  }

  close(): void {
    this.#isClosed = true
    const connection = this.#connection
    this.#connection = undefined
    if (connection !== undefined) drop(connection)
  }

  async #limited<T>(waitMs: number, run: (cluster: Cluster) => Promise<T>): Promise<T> {
    const { clock, requestTimeoutMs } = this.#options
    if (this.#isClosed) throw new KafkaTrouble('CONNECTION')
    this.#connection ??= this.#connect()
    const connection = this.#connection
    const ended = new AbortController()
    const late = clock.sleep(requestTimeoutMs + waitMs, ended.signal).then(() => {
      throw new KafkaTrouble('TIMEOUT')
    })
    try {
      return await Promise.race([connection.ready.then(() => run(connection.cluster)), late])
    } catch (error) {
      const trouble = toTrouble(error)
      if (isMoved(trouble)) this.#isStale = true
      if (isCoordinatorMoved(trouble)) this.#coordinator = undefined
      if (isNoAnswer(trouble)) this.#forget(connection)
      throw trouble
    } finally {
      // Also when it comes too late it must not be an unhandled rejection.
      late.catch(() => undefined)
      ended.abort()
    }
  }

  /** The next request makes new connections. */
  #forget(connection: Connection): void {
    if (this.#connection !== connection) return
    this.#connection = undefined
    this.#coordinator = undefined
    drop(connection)
  }

  #connect(): Connection {
    const { address, requestTimeoutMs, logger } = this.#options
    const sockets = new Set<Socket>()
    // Another broker first each time: the first one may hang.
    const first = this.#rotation++ % address.brokers.length
    const brokers = [...address.brokers.slice(first), ...address.brokers.slice(0, first)]
    const cluster = new Cluster({
      brokers,
      ssl: address.tls ?? null,
      sasl: address.sasl ?? null,
      clientId: 'logeye',
      connectionTimeout: CONNECT_TIMEOUT_MS,
      authenticationTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: requestTimeoutMs,
      enforceRequestTimeout: true,
      metadataMaxAge: 300_000,
      allowAutoTopicCreation: false,
      isolationLevel: 0,
      // As often as there are brokers to try; what fails otherwise is repeated by the callers, who
      // know how long.
      retry: { retries: brokers.length, initialRetryTime: 50, maxRetryTime: 200 },
      logger: quiet(logger),
      socketFactory: socketFactory(sockets),
    })
    return { cluster, sockets, ready: cluster.connect() }
  }
}

/** Asks one broker: the client's own search hides what the brokers answer, and that nobody keeps
 *  the group is over in a moment. So is a keeper that cannot be reached: another one follows, and
 *  another broker is asked, in case this one does not know of it. */
async function findCoordinator(cluster: Cluster, groupId: string): Promise<Broker> {
  await cluster.refreshMetadata()
  const asked = await cluster.brokerPool.findConnectedBroker()
  const { coordinator } = await asked.findGroupCoordinator({ groupId, coordinatorType: GROUP })
  try {
    return await cluster.findBroker({ nodeId: coordinator.nodeId })
  } catch (error) {
    const trouble = toTrouble(error)
    if (!hasCode(trouble, ['CONNECTION'])) throw trouble
    throw new KafkaTrouble('COORDINATOR_UNREACHABLE', error)
  }
}

/** An error at the socket is what makes the client fail all requests that wait, and forget its
 *  timers. */
function drop({ cluster, sockets }: Connection): void {
  for (const socket of sockets) socket.destroy(new Error('dropped'))
  void cluster.disconnect().catch(() => undefined)
}

type SocketRequest = {
  readonly host: string
  readonly port: number
  readonly ssl: KafkaAddress['tls'] | null
  readonly onConnect: () => void
}

function socketFactory(sockets: Set<Socket>): (request: SocketRequest) => Socket {
  return ({ host, port, ssl, onConnect }) => {
    const socket = ssl
      ? connectTls({ host, port, ...(isIP(host) ? {} : { servername: host }), ...ssl }, onConnect)
      : connectPlain({ host, port }, onConnect)
    socket.setKeepAlive(true, 10_000)
    socket.setNoDelay(true)
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    return socket
  }
}

type ClientLogger = Record<'debug' | 'info' | 'warn' | 'error', (text: string) => void> & {
  namespace(): ClientLogger
}

/** What the client says of each attempt; ours is said where the attempt was made for. */
function quiet(logger: Logger): ClientLogger {
  const say = (text: string) => logger.debug('kafka client', { text: String(text).slice(0, 200) })
  const made: ClientLogger = {
    namespace: () => made,
    debug: () => undefined,
    info: () => undefined,
    warn: say,
    error: say,
  }
  return made
}
