// A real sshd of the Debian package openssh-server in a directory of its own on a free port, with
// keys made for it. Whoever runs the tests can sign in with its keys.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../../../infra/supervisor/free-port.ts'
import { guardProcess } from '../machine/guard-process.ts'
import { type Missing, missing } from '../run/missing.ts'
import { execFileSync } from '../run/run-sync.ts'
import { testClock } from '../run/test-clock.ts'
import { waitUntil } from '../run/wait-until.ts'

const SSHD = '/usr/sbin/sshd'

export const sshMissing = (): Missing =>
  missing(() => existsSync(SSHD), 'an SSH server (the package openssh-server)')

export type SshServer = {
  readonly port: number
  readonly userName: string
  /** Texts of private keys that it takes; the second needs PASSPHRASE. */
  readonly privateKey: string
  readonly lockedKey: string
  /** Well-formed, and not taken. */
  readonly strangeKey: string
  /** `ssh-ed25519 SHA256:…`, as ssh-keygen says it. */
  readonly hostKey: string
  stop(): Promise<void>
}

export const PASSPHRASE = 'open sesame'

export async function startSshServer(options: { port?: number } = {}): Promise<SshServer> {
  const directory = mkdtempSync(join(tmpdir(), 'logeye-test-ssh-'))
  const port = options.port ?? (await findFreePort(testClock))
  const key = (name: string, passphrase = '') => {
    const file = join(directory, name)
    const type = ['-q', '-t', 'ed25519', '-N', passphrase, '-C', name, '-f', file]
    execFileSync('ssh-keygen', type)
    return file
  }
  const [host, open, locked, strange] = [key('host'), key('a'), key('b', PASSPHRASE), key('c')]
  const authorized = join(directory, 'authorized')
  writeFileSync(authorized, readFileSync(`${open}.pub`, 'utf8') + readFileSync(`${locked}.pub`))
  const config = join(directory, 'config')
  const lines = {
    ...{ Port: port, ListenAddress: '127.0.0.1', HostKey: host, PidFile: 'none' },
    ...{ AuthorizedKeysFile: authorized, StrictModes: 'no', UsePAM: 'no', LogLevel: 'ERROR' },
    ...{ PermitRootLogin: 'yes', Subsystem: 'sftp internal-sftp' },
  }
  writeFileSync(
    config,
    Object.entries(lines)
      .map((line) => `${line.join(' ')}\n`)
      .join(''),
  )
  // Where it leaves its rights behind, when it has any.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true })
  const server = spawn(SSHD, ['-D', '-e', '-f', config], { stdio: 'ignore' })
  guardProcess(server, 'KILL')
  await waitForPort(port)
  const shown = execFileSync('ssh-keygen', ['-lf', `${host}.pub`], { encoding: 'utf8' })
  return {
    port,
    userName: userInfo().username,
    privateKey: readFileSync(open, 'utf8'),
    lockedKey: readFileSync(locked, 'utf8'),
    strangeKey: readFileSync(strange, 'utf8'),
    hostKey: `ssh-ed25519 ${shown.split(' ')[1]}`,
    stop: async () => {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      if (server.exitCode === null && server.kill('SIGKILL')) await ended
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

export async function waitForPort(port: number): Promise<void> {
  const isOpen = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true))
      socket.on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
  await waitUntil(`something listens on ${port}`, isOpen)
}
