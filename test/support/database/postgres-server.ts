// A real PostgreSQL server in a directory of its own on a free port, from the Debian package. It
// ends with the process that started it, also when that is killed.
import { type ChildProcess, type SpawnSyncOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { makeSelfSigned } from '../../../infra/cli/self-signed.ts'
import { systemClock } from '../../../infra/clock.ts'
import { findFreePort } from '../../../infra/supervisor/free-port.ts'
import { guardProcess, hasEnded } from '../machine/guard-process.ts'
import { listProcesses } from '../product/product.ts'
import { type Missing, missing } from '../run/missing.ts'
import { execFileSync, spawnSync } from '../run/run-sync.ts'
import { waitUntil } from '../run/wait-until.ts'

const PACKAGES = '/usr/lib/postgresql'
const SERVER_FLAGS = ['-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C', '--no-sync']
const STOP_MS = 10_000
const ADMIN = 'postgres'
const ADMIN_PASSWORD = 'p@ss:wörd/1'

export type PostgresServer = {
  readonly port: number
  /** Of the administrator, to the database `postgres`. */
  readonly url: string
  /** PEM file of the certificate that the server shows. */
  readonly caFile: string
  /** SIGTERM waits for clients, SIGINT cuts them off, SIGQUIT leaves everything as it is, SIGSTOP
   *  and SIGCONT as they are. */
  kill(signal: NodeJS.Signals): void
  /** To the server and all that it has started: a server that stands still serves on through
   *  those. */
  signalAll(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void
  ended(): Promise<void>
  /** From its next start on. */
  makeStandby(): void
  /** Starts it again where it was. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** The newest one installed; undefined: none is. In CI there must be one. */
export function postgresBin(): string | undefined {
  const versions = existsSync(PACKAGES) ? readdirSync(PACKAGES) : []
  return versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(PACKAGES, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')))
}

export const postgresMissing = (): Missing =>
  missing(() => postgresBin() !== undefined, 'PostgreSQL (the package postgresql)')

export async function startPostgres(
  options: {
    readonly settings?: Readonly<Record<string, string>>
    /** Kept, with what is in it. */
    readonly directory?: string
    readonly password?: string
  } = {},
): Promise<PostgresServer> {
  const bin = postgresBin()
  if (bin === undefined) throw new Error('PostgreSQL is not installed')
  const { settings = {}, password = ADMIN_PASSWORD } = options
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'logeye-test-postgres-'))
  mkdirSync(directory, { recursive: true })
  const owner = findOwner()
  const port = await findFreePort(systemClock)
  const give = (file: string) => {
    chmodSync(file, file === directory ? 0o755 : 0o600)
    if (owner !== undefined) chownSync(file, owner.uid, owner.gid)
  }
  const write = (name: string, text: string) => {
    writeFileSync(join(directory, name), text)
    give(join(directory, name))
    return join(directory, name)
  }
  give(directory)
  const passwordFile = write('password', password)
  const { key, certificate } = makeSelfSigned(['localhost', '127.0.0.1'], systemClock)
  const [keyFile, caFile] = [write('key.pem', key), write('ca.pem', certificate)]
  chmodSync(caFile, 0o644)
  const data = join(directory, 'data')
  const how = ['-U', ADMIN, `--pwfile=${passwordFile}`, ...SERVER_FLAGS]
  const isMade = existsSync(join(data, 'PG_VERSION'))
  if (!isMade) makeServer(bin, data, how, { ...owner, cwd: directory })
  const all = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: directory,
    ssl: 'on',
    ssl_cert_file: caFile,
    ssl_key_file: keyFile,
    // Power cuts are not what is tested here.
    fsync: 'off',
    max_connections: '300',
    shared_buffers: '32MB',
    ...settings,
  }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const logFile = write('log', '')
  let child: ChildProcess | undefined
  const url = `postgres://${ADMIN}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`
  const server: PostgresServer = {
    port,
    url,
    caFile,
    kill: (signal) => {
      if (child?.pid !== undefined && !hasEnded(child)) process.kill(child.pid, signal)
    },
    signalAll: (signal) => {
      if (child?.pid === undefined || hasEnded(child)) return
      const pids = [child.pid, ...listProcesses(child.pid).map(({ pid }) => pid)]
      for (const pid of pids) {
        try {
          process.kill(pid, signal)
        } catch {
          // It has ended meanwhile.
        }
      }
    },
    ended: async () => {
      if (child !== undefined && !hasEnded(child)) await once(child, 'exit')
    },
    makeStandby: () => void write('data/standby.signal', ''),
    start: async () => {
      child = spawn(
        'sh',
        ['-c', `exec "$0" "$@" >>"${logFile}" 2>&1`, join(bin, 'postgres'), '-D', data, ...flags],
        {
          ...owner,
          cwd: directory,
          stdio: 'ignore',
        },
      )
      guardProcess(child, 'QUIT')
      await untilReady(url, child, logFile)
    },
    stop: async () => {
      server.signalAll('SIGCONT')
      // What is kept is closed in order; what is thrown away need not be.
      server.kill(options.directory === undefined ? 'SIGQUIT' : 'SIGINT')
      await endedWithin(server, STOP_MS)
      process.off('exit', clear)
      clear()
    },
  }
  const clear = () => {
    server.kill('SIGQUIT')
    if (options.directory === undefined)
      rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
  }
  process.once('exit', clear)
  await server.start()
  return server
}

function makeServer(bin: string, data: string, how: string[], place: SpawnSyncOptions): void {
  const made = spawnSync(join(bin, 'initdb'), ['-D', data, ...how], place)
  if (made.status !== 0) throw new Error(`PostgreSQL cannot be made: ${String(made.stderr)}`)
}

/** The server refuses to run as root. */
function findOwner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

async function endedWithin(server: PostgresServer, limitMs: number): Promise<void> {
  const over = new AbortController()
  const late = systemClock.sleep(limitMs, over.signal).then(() => server.kill('SIGQUIT'))
  await server.ended()
  over.abort()
  await late
}

async function untilReady(url: string, child: ChildProcess, logFile: string): Promise<void> {
  const log = () => readFileSync(logFile, 'utf8').slice(-2000)
  const accepts = async () => {
    if (hasEnded(child)) throw new Error(`PostgreSQL did not start: ${log()}`)
    const client = new Client({ connectionString: url })
    client.on('error', () => undefined)
    return await client.connect().then(
      async () => {
        await client.end()
        return true
      },
      () => false,
    )
  }
  await waitUntil('PostgreSQL accepts connections', accepts, log)
}
