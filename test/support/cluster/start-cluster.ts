// A cluster on one machine, without Docker: Kafka brokers, PostgreSQL, the store and one start a
// role (or more), each with an address of its own, behind an edge. The same code for tests and `npm
// run cluster`. What is started here ends with this process.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { z } from 'zod'
import { systemClock } from '../../../infra/clock.ts'
import { findFreePort } from '../../../infra/supervisor/free-port.ts'
import { PROCESSES, type Role } from '../../../infra/supervisor/processes.ts'
import { type PostgresServer, startPostgres } from '../database/postgres-server.ts'
import { type KafkaCluster, startKafka } from '../event-log/kafka-broker.ts'
import { readSecrets, type Secrets } from '../product/product.ts'
import { ClusterLinks } from './cluster-links.ts'
import { type ClusterNode, startNode } from './cluster-node.ts'
import { type EdgeProxy, startEdgeProxy } from './edge-proxy.ts'

const FIRST: Role = 'scheduler'
/** Of the roles that may be there more than once, in the order of their start. The portal is the
 *  vendor's, with tables of its own (`hasPortal`). */
export const COPIED_ROLES: readonly Role[] = [
  FIRST,
  ...PROCESSES.all.roles.filter((role) => role !== FIRST && role !== 'store' && role !== 'portal'),
]
const NEEDS_KAFKA: readonly Role[] = ['writer', 'query', 'listener']
const FILE = 'cluster.json'

export type ClusterOptions = {
  /** Kept; absent: a temporary one. */
  readonly directory?: string
  readonly brokers?: number
  /** Of each role but the store. */
  readonly copies?: number
  /** Of the edge; absent: a free one. */
  readonly port?: number
  /** Folder of Kafka's jars; default LOGEYE_TEST_KAFKA_LIBS. */
  readonly libs?: string
  readonly environment?: Readonly<Record<string, string>>
  /** What only one role is told. */
  readonly environmentOf?: (role: string) => Readonly<Record<string, string>>
  /** Every connection between two parts can be disturbed (`Cluster.links`). Needs toxiproxy. */
  readonly hasLinks?: boolean
  /** With the vendor's server beside it, in a schema of its own. */
  readonly hasPortal?: boolean
  /** Told what is being waited for. */
  readonly onStep?: (text: string) => void
}

export type Cluster = {
  /** Of the edge, which stands for the whole. */
  readonly url: string
  readonly edge: Pick<EdgeProxy, 'drain' | 'undrain'>
  readonly secrets: Secrets
  readonly nodes: readonly ClusterNode[]
  of(role: Role): ClusterNode[]
  readonly kafka: KafkaCluster
  readonly postgres: PostgresServer
  /** With `hasLinks`. */
  readonly links?: ClusterLinks
  readonly engines: Readonly<Record<'eventLog' | 'store' | 'database', string>>
  /** With `hasPortal`. */
  readonly portalUrl?: string
  /** In order; at most 45 s, a few as a rule. */
  stop(): Promise<void>
}

const keptSchema = z.object({
  brokers: z.int(),
  storePassword: z.string(),
  postgresPassword: z.string(),
  secrets: z.object({ token: z.string(), password: z.string() }).optional(),
})
type Kept = z.infer<typeof keptSchema>

export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { onStep = () => undefined } = options
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'logeye-cluster-'))
  mkdirSync(directory, { recursive: true })
  // PostgreSQL refuses to run as root: another user passes through to a directory of his own.
  chmodSync(directory, 0o711)
  const { brokers = 1 } = options
  const kept = readKept(directory, brokers)
  if (kept.brokers !== brokers)
    throw new Error(`${directory} holds a cluster with ${kept.brokers} brokers`)
  const closers: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close()
    if (options.directory === undefined) rmSync(directory, { recursive: true, force: true })
  }
  try {
    const links = options.hasLinks === true ? await ClusterLinks.start() : undefined
    if (links !== undefined) closers.push(() => links.stop())
    onStep('Kafka and PostgreSQL')
    const [kafka, postgres] = await startEngines(options, directory, kept, closers, links)
    const ports = new Ports()
    const engines = {
      eventLog: `kafka://${kafka.addresses}/logeye?partitions=4`,
      store: `http://logeye:${kept.storePassword}@127.0.0.1:${await ports.take()}`,
      database: postgres.url,
    }
    const edgePort = options.port ?? (await ports.take())
    const environment = {
      LOGEYE_PUBLIC_URL: `http://127.0.0.1:${edgePort}`,
      LOGEYE_HTTP_TRUSTED_PROXIES: '127.0.0.1',
      ...options.environment,
    }
    const nodes: ClusterNode[] = []
    const start = async (role: Role, last: number, first = 1) => {
      const made: ClusterNode[] = []
      for (let copy = first; copy <= last; copy += 1) {
        const name = `${role}-${copy}`
        const plan = { name, role, port: await ports.take(), directory: join(directory, name) }
        const urls = await enginesOf(name, role, engines, kafka, links)
        made.push(
          startNode({
            ...plan,
            environment: { ...urls, ...environment, ...options.environmentOf?.(role) },
          }),
        )
      }
      nodes.push(...made)
      closers.push(() => Promise.all(made.map((node) => node.stop())))
      return made
    }
    const ready = (some: readonly ClusterNode[]) => Promise.all(some.map((it) => it.untilReady()))
    onStep('the store')
    await ready(await start('store', 1))
    // The first makes the tables of the database and the first accounts, and prints their secrets.
    const { copies = 1 } = options
    for (const role of COPIED_ROLES) {
      onStep(role)
      const made = await start(role, role === FIRST ? 1 : copies)
      if (role === FIRST) await ready(made)
    }
    await start(FIRST, copies, 2)
    const portal = options.hasPortal
      ? await planPortal(directory, await ports.take(), await ports.take(), postgres)
      : undefined
    if (portal !== undefined) {
      onStep('portal')
      const node = startNode(portal)
      nodes.push(node)
      closers.push(() => node.stop())
    }
    onStep('everything')
    await ready(nodes)
    const secrets = kept.secrets ?? readSecrets(nodes.map((node) => node.output()).join('\n'))
    writeKept(directory, { ...kept, secrets })
    const of = (role: Role) => nodes.filter((node) => node.role === role)
    const urls = (role: Role) =>
      Promise.all(
        of(role).map(async ({ name, url }) =>
          links === undefined ? url : await withLink(links, 'edge', name, url),
        ),
      )
    const pools = { listeners: await urls('listener'), queries: await urls('query') }
    const all = Object.fromEntries(nodes.map(({ name, url }) => [name, url]))
    const edge = await startEdgeProxy({ port: edgePort, ...pools, all })
    closers.push(() => edge.close())
    await links?.make('senders', 'edge', edgePort)
    return {
      ...{ url: edge.url, edge, secrets, nodes, of, kafka, postgres, engines, stop },
      ...(links === undefined ? {} : { links }),
      ...(portal === undefined ? {} : { portalUrl: portal.environment.LOGEYE_PORTAL_PUBLIC_URL }),
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Their addresses as a node sees them. */
async function enginesOf(
  name: string,
  role: Role,
  engines: Cluster['engines'],
  kafka: KafkaCluster,
  links: ClusterLinks | undefined,
): Promise<Record<string, string>> {
  let { eventLog, store, database } = engines
  if (links !== undefined && role !== 'store') {
    if (NEEDS_KAFKA.includes(role))
      eventLog = eventLog.replace(kafka.addresses, kafka.addressesThrough(name))
    store = await withLink(links, name, 'store', store, true)
    database = await withLink(links, name, 'postgres', database)
  }
  return {
    LOGEYE_EVENT_LOG_URL: eventLog,
    LOGEYE_STORE_URL: store,
    LOGEYE_DATABASE_URL: database,
  }
}

async function withLink(
  links: ClusterLinks,
  from: string,
  to: string,
  url: string,
  losesAnswers = false,
): Promise<string> {
  const [, port = ''] = /:(\d+)(?:\/\w*)?$/.exec(url) ?? []
  const made = await links.make(from, to, Number(port), losesAnswers)
  return url.replace(new RegExp(`:${port}(?=/|$)`), `:${made}`)
}

async function startEngines(
  options: ClusterOptions,
  directory: string,
  { postgresPassword }: Kept,
  closers: (() => Promise<unknown>)[],
  links: ClusterLinks | undefined,
): Promise<[KafkaCluster, PostgresServer]> {
  const { brokers = 1, copies = 1, libs } = options
  const names = NEEDS_KAFKA.flatMap((role) =>
    Array.from({ length: copies }, (_, at) => `${role}-${at + 1}`),
  )
  const doors = names.map((name) => ({
    name,
    open: async (port: number, broker: number) =>
      links === undefined ? port : await links.make(name, `kafka-${broker}`, port, true),
  }))
  const kafkaOptions = {
    ...{ brokers, directory: join(directory, 'kafka') },
    ...(links === undefined ? {} : { doors }),
  }
  const started = await Promise.allSettled([
    startKafka({
      ...kafkaOptions,
      ...(libs === undefined ? {} : { libs }),
      // A position that a power cut takes back can double events.
      settings: brokers === 1 ? { 'log.flush.interval.messages': '1' } : {},
    }),
    startPostgres({
      directory: join(directory, 'postgres'),
      password: postgresPassword,
      settings: { fsync: 'on' },
    }),
  ])
  for (const engine of started)
    if (engine.status === 'fulfilled') closers.push(() => engine.value.stop())
  const [kafka, postgres] = started
  if (kafka.status === 'rejected') throw kafka.reason
  if (postgres.status === 'rejected') throw postgres.reason
  return [kafka.value, postgres.value]
}

/** One: others would need its key file. The schema is made as whoever runs the database does it. */
async function planPortal(
  directory: string,
  port: number,
  healthPort: number,
  { url }: PostgresServer,
) {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('create schema if not exists portal').finally(() => client.end())
  return {
    ...({ name: 'portal-1', role: 'portal', port: healthPort } as const),
    directory: join(directory, 'portal-1'),
    environment: {
      LOGEYE_PORTAL_DATABASE_URL: `${url}?schema=portal`,
      LOGEYE_PORTAL_PLAIN_PORT: String(port),
      LOGEYE_PORTAL_PUBLIC_URL: `http://127.0.0.1:${port}`,
    },
  }
}

/** Free ones, none twice: those that were found are not taken yet. */
class Ports {
  readonly #given = new Set<number>()

  async take(): Promise<number> {
    for (;;) {
      const port = await findFreePort(systemClock)
      if (this.#given.has(port)) continue
      this.#given.add(port)
      return port
    }
  }
}

function readKept(directory: string, brokers: number): Kept {
  const file = join(directory, FILE)
  if (existsSync(file)) return keptSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  const word = () => systemClock.randomBytes(18).toString('hex')
  const kept = { brokers, storePassword: word(), postgresPassword: word() }
  writeKept(directory, kept)
  return kept
}

function writeKept(directory: string, kept: Kept): void {
  writeFileSync(join(directory, FILE), JSON.stringify(kept), { mode: 0o600 })
}
