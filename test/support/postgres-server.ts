// A real PostgreSQL server in a directory of its own on a free port, from the Debian package. It ends with the process that started
// it, also when that is killed.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { makeSelfSigned } from '../../infra/cli/self-signed.ts'
import { systemClock } from '../../infra/clock.ts'
import { findFreePort } from '../../infra/supervisor/free-port.ts'

const PACKAGES = '/usr/lib/postgresql'
const START_MS = 60_000
const ADMIN = 'postgres'
const ADMIN_PASSWORD = 'p@ss:wörd/1'

export type PostgresServer = {
  readonly port: number
  /** Of the administrator, to the database `postgres`. */
  readonly url: string
  /** PEM file of the certificate that the server shows. */
  readonly caFile: string
  /** SIGTERM waits for clients, SIGINT cuts them off, SIGQUIT leaves everything as it is, SIGSTOP and SIGCONT as they are. */
  kill(signal: NodeJS.Signals): void
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
  const found = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(PACKAGES, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')))
  const isCi = process.env.CI !== undefined && process.env.CI !== 'false'
  if (found === undefined && isCi)
    throw new Error('CI runs the PostgreSQL tests: the package postgresql must be installed')
  return found
}

export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const bin = postgresBin()
  if (bin === undefined) throw new Error('PostgreSQL is not installed')
  const directory = mkdtempSync(join(tmpdir(), 'logeye-test-postgres-'))
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
  const passwordFile = write('password', ADMIN_PASSWORD)
  const { key, certificate } = makeSelfSigned(['localhost', '127.0.0.1'], systemClock)
  const [keyFile, caFile] = [write('key.pem', key), write('ca.pem', certificate)]
  chmodSync(caFile, 0o644)
  const data = join(directory, 'data')
  const made = spawnSync(
    join(bin, 'initdb'),
    [
      '-D',
      data,
      '-U',
      ADMIN,
      `--pwfile=${passwordFile}`,
      '-A',
      'scram-sha-256',
      '-E',
      'UTF8',
      '--locale=C',
      '--no-sync',
    ],
    { ...owner, cwd: directory },
  )
  if (made.status !== 0) throw new Error(`no cluster could be made: ${String(made.stderr)}`)
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
  const url = `postgres://${ADMIN}:${encodeURIComponent(ADMIN_PASSWORD)}@127.0.0.1:${port}/postgres`
  const server: PostgresServer = {
    port,
    url,
    caFile,
    kill: (signal) => {
      if (child?.pid !== undefined && !hasEnded(child)) process.kill(child.pid, signal)
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
      guard(child)
      await untilReady(url, child, logFile)
    },
    stop: async () => {
      server.kill('SIGCONT')
      server.kill('SIGQUIT')
      await server.ended()
      process.off('exit', clear)
      clear()
    },
  }
  const clear = () => {
    server.kill('SIGQUIT')
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
  }
  process.once('exit', clear)
  await server.start()
  return server
}

/** The server refuses to run as root. */
function findOwner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** A second process holds a pipe of ours and ends the server when it is cut. */
function guard(child: ChildProcess): void {
  const watcher = spawn('sh', ['-c', `read -r _; kill -QUIT ${child.pid} 2>/dev/null`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  // Its number may belong to another process later.
  child.once('exit', () => watcher.kill('SIGKILL'))
  watcher.stdin?.on('error', () => undefined)
  watcher.unref()
  const pipe: unknown = watcher.stdin
  if (
    typeof pipe === 'object' &&
    pipe !== null &&
    'unref' in pipe &&
    typeof pipe.unref === 'function'
  )
    pipe.unref()
  child.unref()
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

async function untilReady(url: string, child: ChildProcess, logFile: string): Promise<void> {
  const endMs = systemClock.elapsedMs() + START_MS
  for (;;) {
    const client = new Client({ connectionString: url })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      if (hasEnded(child) || systemClock.elapsedMs() > endMs)
        throw new Error(`PostgreSQL did not start: ${readFileSync(logFile, 'utf8').slice(-2000)}`)
      await systemClock.sleep(30)
    }
  }
}
