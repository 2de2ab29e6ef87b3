// Reads LOGEYE_DATABASE_URL: postgres://user:password@host:port/database?options
// (docs/reference/configuration.md). The names of the options about TLS are libpq's, so that an
// address can be carried over from psql.
import { readFileSync } from 'node:fs'
import { Failure } from '../../../schemas/failures.ts'

const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const
export type SslMode = (typeof SSL_MODES)[number]

export type PostgresAddress = {
  /** Name, address, or the folder of a socket. */
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  /** Undefined: the client looks into PGPASSWORD and ~/.pgpass. */
  readonly password: string | undefined
  /** Undefined: what the server says is the search path of the user. */
  readonly schema: string | undefined
  readonly sslMode: SslMode
  /** PEM texts. */
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string }
  /** The most that one process opens. */
  readonly connections: number
}

const DEFAULT_PORT = 5432
const DEFAULT_CONNECTIONS = 5
const SCHEME = /^postgres(?:ql)?:\/\//
const OPTIONS = ['host', 'schema', 'connections', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey']
const OWN_MACHINE = /^(?:\/.*|localhost|127(?:\.\d{1,3}){3}|::1)$/

export function isPostgresUrl(url: string): boolean {
  return SCHEME.test(url)
}

/** Fails with database.bad_url, whose reason quotes no secret. */
export function parsePostgresAddress(url: string): PostgresAddress {
  const parsed = parseUrl(url)
  const options = readOptions(parsed.searchParams)
  const host = readHost(parsed, options.get('host'))
  const database = decode(parsed.pathname.slice(1), 'the database')
  if (database === '' || database.includes('/')) throw bad('name one database after the host')
  const user = decode(parsed.username, 'the user')
  if (user === '') throw bad('user and password are written user:password@ before the host')
  const sslMode = readSslMode(host, options)
  return {
    host,
    port: parsed.port === '' ? DEFAULT_PORT : Number(parsed.port),
    database,
    user,
    password: parsed.password === '' ? undefined : decode(parsed.password, 'the password'),
    schema: options.get('schema'),
    sslMode,
    tls: readTls(sslMode, options),
    connections: readConnections(options.get('connections')),
  }
}

function bad(reason: string): Failure {
  return new Failure('database.bad_url', { reason })
}

function parseUrl(url: string): URL {
  // A socket has no host, and a URL of this kind no user without one.
  const text = url.replace(SCHEME, 'postgres://').replace('@/', '@socket.invalid/')
  if (/^[^?]*,/.test(text)) throw bad('name one server; let a proxy choose among several')
  try {
    return new URL(text)
  } catch {
    throw bad(
      'it is not postgres://user:password@host:port/database with special characters as %XX',
    )
  }
}

function readOptions(given: URLSearchParams): Map<string, string> {
  const options = new Map<string, string>()
  for (const [name, value] of given) {
    if (!OPTIONS.includes(name)) throw bad(`an option is not one of ${OPTIONS.join(', ')}`)
    if (options.has(name)) throw bad(`${name} is given twice`)
    if (value === '') throw bad(`${name} has no value`)
    options.set(name, value)
  }
  return options
}

function readHost(parsed: URL, socket: string | undefined): string {
  const host = decode(parsed.hostname, 'the host').replace(/^\[(.*)\]$/, '$1')
  if (socket !== undefined && (host !== 'socket.invalid' || !socket.startsWith('/')))
    throw bad('the option host names the folder of a socket, with no other host before it')
  const found = socket ?? host
  if (found === '' || found === 'socket.invalid') throw bad('it names no host')
  return found
}

function readSslMode(host: string, options: ReadonlyMap<string, string>): SslMode {
  const text = options.get('sslmode')
  // A password and all names cross the wire: what leaves the machine is encrypted unless somebody
  // says otherwise.
  if (text === undefined) return OWN_MACHINE.test(host) ? 'disable' : 'verify-full'
  const mode = SSL_MODES.find((one) => one === text)
  if (mode === undefined) throw bad(`sslmode is not one of ${SSL_MODES.join(', ')}`)
  return mode
}

function readTls(mode: SslMode, options: ReadonlyMap<string, string>): PostgresAddress['tls'] {
  const ca = options.get('sslrootcert')
  const cert = options.get('sslcert')
  const key = options.get('sslkey')
  if ((cert === undefined) !== (key === undefined)) throw bad('sslcert and sslkey go together')
  if (mode === 'disable' && (ca !== undefined || cert !== undefined))
    throw bad('sslrootcert, sslcert and sslkey need an sslmode with TLS')
  return {
    ...(ca === undefined ? {} : { ca: readPem('sslrootcert', ca) }),
    ...(cert === undefined ? {} : { cert: readPem('sslcert', cert) }),
    ...(key === undefined ? {} : { key: readPem('sslkey', key) }),
  }
}

function readPem(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw bad(`the file of ${name} cannot be read`)
  }
}

function readConnections(text: string | undefined): number {
  if (text === undefined) return DEFAULT_CONNECTIONS
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (count < 2 || count > 100) throw bad('connections must be a number from 2 to 100')
  return count
}

function decode(text: string, what: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw bad(`${what} holds a % that is not written %25`)
  }
}
