// Reads LOGEYE_EVENT_LOG_URL: kafka://[user:password@]host[:port][,host[:port]…][/topic][?options]
// (docs/reference/configuration.md).
import { readFileSync } from 'node:fs'
import { Failure } from '../../../schemas/failures.ts'

export type SaslMechanism = 'plain' | 'scram-sha-256' | 'scram-sha-512'

export type KafkaAddress = {
  /** host:port; at least one. */
  readonly brokers: readonly string[]
  readonly topic: string
  /** Consumer group of the writers: holds the positions. */
  readonly group: string
  readonly sasl?: {
    readonly mechanism: SaslMechanism
    readonly username: string
    readonly password: string
  }
  /** PEM texts; absent: no TLS. `{}`: TLS with the machine's authorities. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string }
  /** For a topic that is made: partitions, and copies of each (absent: 3, or as many brokers as are
   *  named or found). */
  readonly partitions: number
  /** What the address says of them: a topic that is there must have them. */
  readonly leastPartitions?: number
  readonly replication?: number
}

const DEFAULT_PORT = 9092
const DEFAULT_TOPIC = 'logeye'
const DEFAULT_PARTITIONS = 4
const FORM = /^kafka:\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/([^/?#]*))?(?:\?([^#]*))?$/
const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?$/
const NAME = /^[A-Za-z0-9._-]{1,200}$/
const MECHANISMS: readonly string[] = ['plain', 'scram-sha-256', 'scram-sha-512']
const OPTIONS = [
  'group',
  'sasl',
  'tls',
  'caFile',
  'certFile',
  'keyFile',
  'partitions',
  'replication',
]

/** Fails with event_log.bad_url, whose reason quotes no secret. */
export function parseKafkaAddress(url: string): KafkaAddress {
  const match = FORM.exec(url)
  if (match === null) throw bad('it is not kafka://host:port,host:port/topic')
  const [, user, hosts = '', path = '', query = ''] = match
  const topic = path === '' ? DEFAULT_TOPIC : path
  if (!NAME.test(topic)) throw bad('the topic may hold letters, digits, dots, - and _')
  const options = readOptions(query)
  const group = options.get('group') ?? `${topic}-writer`
  if (!NAME.test(group)) throw bad('the group may hold letters, digits, dots, - and _')
  const partitions = readNumber(options, 'partitions', 1000)
  const replication = readNumber(options, 'replication', 100)
  const sasl = readSasl(user, options)
  const tls = readTls(options)
  return {
    brokers: [...new Set(hosts.split(',').map(readHost))],
    topic,
    group,
    partitions: partitions ?? DEFAULT_PARTITIONS,
    ...(partitions === undefined ? {} : { leastPartitions: partitions }),
    ...(replication === undefined ? {} : { replication }),
    ...(sasl === undefined ? {} : { sasl }),
    ...(tls === undefined ? {} : { tls }),
  }
}

function bad(reason: string): Failure {
  return new Failure('event_log.bad_url', { reason })
}

function readHost(text: string): string {
  const match = HOST.exec(text)
  const port = Number(match?.[1] ?? DEFAULT_PORT)
  if (match === null || port < 1 || port > 65_535) throw bad('a broker is not host:port')
  // The client cuts at the first colon.
  if (text.startsWith('[')) throw bad('a broker is named by host name or IPv4 address')
  return match[1] === undefined ? `${text}:${DEFAULT_PORT}` : text
}

function readOptions(query: string): Map<string, string> {
  const options = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(query)) {
    if (!OPTIONS.includes(name)) throw bad(`an option is not one of ${OPTIONS.join(', ')}`)
    if (options.has(name)) throw bad(`${name} is given twice`)
    options.set(name, value)
  }
  return options
}

function readNumber(
  options: ReadonlyMap<string, string>,
  name: string,
  most: number,
): number | undefined {
  const text = options.get(name)
  if (text === undefined) return undefined
  const value = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (value < 1 || value > most) throw bad(`${name} must be a number from 1 to ${most}`)
  return value
}

function readSasl(
  user: string | undefined,
  options: ReadonlyMap<string, string>,
): KafkaAddress['sasl'] {
  const mechanism = options.get('sasl') ?? 'scram-sha-512'
  if (!isMechanism(mechanism)) throw bad(`sasl is not one of ${MECHANISMS.join(', ')}`)
  if (user === undefined) {
    if (options.has('sasl')) throw bad('sasl needs user:password@ before the brokers')
    return undefined
  }
  const colon = user.indexOf(':')
  if (colon < 1) throw bad('user and password are written user:password@')
  return {
    mechanism,
    username: decode(user.slice(0, colon)),
    password: decode(user.slice(colon + 1)),
  }
}

function isMechanism(text: string): text is SaslMechanism {
  return MECHANISMS.includes(text)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw bad('user or password holds a % that is not written %25')
  }
}

function readTls(options: ReadonlyMap<string, string>): KafkaAddress['tls'] {
  const caFile = options.get('caFile')
  const certFile = options.get('certFile')
  const keyFile = options.get('keyFile')
  const hasFiles = caFile !== undefined || certFile !== undefined || keyFile !== undefined
  const wanted = options.get('tls') ?? (hasFiles ? 'true' : 'false')
  if (wanted !== 'true' && wanted !== 'false') throw bad('tls is true or false')
  if ((certFile === undefined) !== (keyFile === undefined))
    throw bad('certFile and keyFile go together')
  if (wanted === 'false') {
    if (hasFiles) throw bad('caFile, certFile and keyFile need tls=true')
    return undefined
  }
  return {
    ...(caFile === undefined ? {} : { ca: readPem('caFile', caFile) }),
    ...(certFile === undefined ? {} : { cert: readPem('certFile', certFile) }),
    ...(keyFile === undefined ? {} : { key: readPem('keyFile', keyFile) }),
  }
}

function readPem(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw bad(`the file of ${name} cannot be read`)
  }
}
