// Real Kafka brokers (KRaft) on free ports of this machine, from the jars that
// LOGEYE_TEST_KAFKA_LIBS names (see .ci/run). A broker ends with the process that started it, also
// when that is killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { makeSelfSigned } from '../../../infra/cli/self-signed.ts'
import { findFreePort } from '../../../infra/supervisor/free-port.ts'
import { guardProcess, hasEnded } from '../machine/guard-process.ts'
import { type Missing, missing } from '../run/missing.ts'
import { spawnSync } from '../run/run-sync.ts'
import { testClock } from '../run/test-clock.ts'
import { waitUntil } from '../run/wait-until.ts'

const STOP_MS = 8000
const CLUSTER_ID = 'MkU3OEVBNTcwNTJENDM2Qk'
/** Small and quick to start: tests send little. */
const JAVA_OPTIONS = ['-Xms64m', '-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']

export const KAFKA_USER = 'tester'
export const KAFKA_PASSWORD = 'p@ss:wörd/1'

/** undefined: the jars are not here. */
export function kafkaLibs(): string | undefined {
  return process.env.LOGEYE_TEST_KAFKA_LIBS
}

export const kafkaMissing = (): Missing =>
  missing(() => kafkaLibs() !== undefined, 'Apache Kafka (LOGEYE_TEST_KAFKA_LIBS)')

export type KafkaBroker = {
  readonly port: number
  /** With user and password (SCRAM). */
  readonly saslPort: number
  readonly tlsPort: number
  /** Where the broker really listens for those who come through `proxyPort`, which it says is its
   *  address. */
  readonly behindProxyPort: number
  readonly proxyPort: number
  kill(signal: NodeJS.Signals): void
  /** Starts it again where it was. */
  start(): Promise<void>
  ended(): Promise<void>
}

/** Says where those come in who use it instead of a broker's own port, e.g. a proxy: the broker
 *  tells them that address. */
export type KafkaDoor = {
  readonly name: string
  open(port: number, broker: number): Promise<number>
}

export type KafkaCluster = {
  readonly brokers: readonly KafkaBroker[]
  /** host:port,host:port */
  readonly addresses: string
  /** The same through a door. */
  addressesThrough(door: string): string
  /** PEM file of the certificate that all brokers show at `tlsPort`. */
  readonly caFile: string
  stop(): Promise<void>
}

export async function startKafka(
  options: {
    readonly brokers?: number
    readonly settings?: Readonly<Record<string, string>>
    /** Kept, with what is in it. */
    readonly directory?: string
    /** Default: LOGEYE_TEST_KAFKA_LIBS. */
    readonly libs?: string
    readonly doors?: readonly KafkaDoor[]
  } = {},
): Promise<KafkaCluster> {
  const libs = options.libs ?? kafkaLibs()
  if (libs === undefined) throw new Error('LOGEYE_TEST_KAFKA_LIBS is not set')
  const count = options.brokers ?? 1
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'logeye-test-kafka-'))
  mkdirSync(directory, { recursive: true })
  const { key, certificate } = makeSelfSigned(['127.0.0.1'], testClock)
  const caFile = join(directory, 'ca.pem')
  writeFileSync(caFile, certificate)
  writeFileSync(join(directory, 'pair.pem'), `${key}${certificate}`)
  const nodes: Node[] = []
  for (let id = 1; id <= count; id += 1) {
    const ports = []
    for (let port = 0; port < 6; port += 1) ports.push(await findFreePort(testClock))
    const [plain = 0, sasl = 0, controller = 0, behind = 0, proxy = 0, tls = 0] = ports
    const doors: Door[] = []
    for (const { name, open } of options.doors ?? []) {
      const inside = await findFreePort(testClock)
      doors.push({ name, inside, outside: await open(inside, id) })
    }
    nodes.push({ id, plain, sasl, controller, behind, proxy, tls, doors })
  }
  const brokers = nodes.map((node) => makeBroker({ ...options, node, nodes, libs, directory }))
  const clear = () => {
    for (const broker of brokers) broker.kill('SIGKILL')
    if (options.directory === undefined)
      rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
  }
  process.once('exit', clear)
  try {
    await Promise.all(brokers.map((broker) => broker.start()))
  } catch (error) {
    clear()
    throw error
  }
  return {
    brokers,
    addresses: nodes.map(({ plain }) => `127.0.0.1:${plain}`).join(','),
    addressesThrough: (name) =>
      nodes
        .map(({ doors }) => `127.0.0.1:${doors.find((door) => door.name === name)?.outside}`)
        .join(','),
    caFile,
    stop: async () => {
      // What is kept is closed in order; what is thrown away need not be.
      if (options.directory !== undefined) await closeInOrder(brokers)
      for (const broker of brokers) broker.kill('SIGKILL')
      await Promise.all(brokers.map((broker) => broker.ended()))
      process.off('exit', clear)
      clear()
    },
  }
}

async function closeInOrder(brokers: readonly KafkaBroker[]): Promise<void> {
  for (const broker of brokers) broker.kill('SIGTERM')
  const over = new AbortController()
  const late = testClock.sleep(STOP_MS, over.signal)
  await Promise.race([Promise.all(brokers.map((broker) => broker.ended())), late])
  over.abort()
}

type Door = { readonly name: string; readonly inside: number; readonly outside: number }

type Node = {
  readonly doors: readonly Door[]
  readonly id: number
  readonly plain: number
  readonly sasl: number
  readonly controller: number
  readonly behind: number
  readonly proxy: number
  readonly tls: number
}

function makeBroker(options: {
  node: Node
  nodes: readonly Node[]
  libs: string
  directory: string
  settings?: Readonly<Record<string, string>>
}): KafkaBroker {
  const { node, libs, directory } = options
  const home = join(directory, String(node.id))
  const file = `${home}.properties`
  const logFile = `${home}.log`
  writeFileSync(file, printProperties(options, home))
  writeFileSync(logFile, '')
  const format = spawnSync('java', [
    '-Xmx128m',
    '-XX:TieredStopAtLevel=1',
    '-cp',
    join(libs, '*'),
    'kafka.tools.StorageTool',
    'format',
    '-t',
    CLUSTER_ID,
    '-c',
    file,
    '--ignore-formatted',
    '--add-scram',
    `SCRAM-SHA-512=[name=${KAFKA_USER},password=${KAFKA_PASSWORD}]`,
  ])
  if (format.status !== 0) throw new Error(`a broker cannot be made: ${String(format.stderr)}`)
  let child: ChildProcess | undefined
  return {
    port: node.plain,
    saslPort: node.sasl,
    tlsPort: node.tls,
    behindProxyPort: node.behind,
    proxyPort: node.proxy,
    kill: (signal) => {
      if (child?.pid !== undefined && !hasEnded(child)) process.kill(child.pid, signal)
    },
    start: async () => {
      const command = ['java', ...JAVA_OPTIONS, '-cp', join(libs, '*'), 'kafka.Kafka', file]
      child = spawnGuarded(command, logFile)
      await untilOpen(node.plain, child, logFile)
    },
    ended: async () => {
      if (child !== undefined && !hasEnded(child)) await once(child, 'exit')
    },
  }
}

function spawnGuarded(command: readonly string[], logFile: string): ChildProcess {
  const [program = '', ...args] = command
  const child = spawn('sh', ['-c', `exec "$0" "$@" >>"${logFile}" 2>&1`, program, ...args], {
    stdio: 'ignore',
  })
  guardProcess(child, 'KILL')
  return child
}

async function untilOpen(port: number, child: ChildProcess, logFile: string): Promise<void> {
  const logged = () => readFileSync(logFile, 'utf8').slice(-2000)
  const isOpen = async () => {
    if (hasEnded(child)) throw new Error(`a broker did not start: ${logged()}`)
    return await canConnect(port)
  }
  await waitUntil('a broker takes connections', isOpen, logged)
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

function printProperties(
  { node, nodes, settings = {} }: Parameters<typeof makeBroker>[0],
  home: string,
): string {
  const copies = String(Math.min(3, nodes.length))
  const host = '127.0.0.1'
  const doors = (port: 'inside' | 'outside') =>
    node.doors.map((door, at) => `,DOOR${at}://${host}:${door[port]}`).join('')
  const listeners = `PLAIN://${host}:${node.plain},SCRAM://${host}:${node.sasl},TLS://${host}:${node.tls}`
  const all: Record<string, string> = {
    'process.roles': 'broker,controller',
    'node.id': String(node.id),
    'controller.quorum.voters': nodes
      .map(({ id, controller }) => `${id}@${host}:${controller}`)
      .join(','),
    listeners: `${listeners},PROXIED://${host}:${node.behind},CONTROLLER://${host}:${node.controller}${doors('inside')}`,
    'advertised.listeners': `${listeners},PROXIED://${host}:${node.proxy}${doors('outside')}`,
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAIN',
    'listener.security.protocol.map': [
      'PLAIN:PLAINTEXT,SCRAM:SASL_PLAINTEXT,TLS:SSL,PROXIED:PLAINTEXT,CONTROLLER:PLAINTEXT',
      ...node.doors.map((_, at) => `DOOR${at}:PLAINTEXT`),
    ].join(','),
    'sasl.enabled.mechanisms': 'SCRAM-SHA-512',
    'listener.name.scram.scram-sha-512.sasl.jaas.config':
      'org.apache.kafka.common.security.scram.ScramLoginModule required;',
    'listener.name.tls.ssl.keystore.type': 'PEM',
    'listener.name.tls.ssl.keystore.location': join(dirname(home), 'pair.pem'),
    'log.dirs': home,
    'auto.create.topics.enable': 'false',
    'group.initial.rebalance.delay.ms': '0',
    'offsets.topic.num.partitions': '1',
    'offsets.topic.replication.factor': copies,
    'num.network.threads': '2',
    'num.io.threads': '2',
    'log.cleaner.dedupe.buffer.size': String(8 * 1024 * 1024),
    // A broker that is killed is away for its cluster soon, and one that comes back is there at
    // once.
    'broker.session.timeout.ms': '3000',
    'broker.heartbeat.interval.ms': '500',
    ...settings,
  }
  return Object.entries(all)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}
