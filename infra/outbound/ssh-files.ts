// Files of another machine by SFTP: one connection with one session, opened when it is needed and
// again with back-off when it was cut off. A connection whose other end is gone is found by
// keepalive and by a limit for each answer.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Attributes, SFTPWrapper } from 'ssh2'
import type { Clock } from '../clock.ts'
import { describeConnection } from './describe-connection.ts'
import { findAddress } from './find-address.ts'
import type { HostSessions } from './host-sessions.ts'
import { RemoteFault } from './remote-fault.ts'
import { describeSsh, makeSshClient, type SshTarget } from './ssh.ts'

const CONNECT_MS = 15_000
const ANSWER_MS = 20_000
const KEEPALIVE = { keepaliveInterval: 5000, keepaliveCountMax: 3 }
const FIRST_BACK_OFF_MS = 1000
const MOST_BACK_OFF_MS = 60_000
/** Of SFTP, version 3. */
const CODES: Readonly<Record<number, string>> = { 2: 'ENOENT', 3: 'EACCES' }

export type RemoteSeen = {
  readonly size: number
  /** To the second. */
  readonly changedMs: number
  readonly isFile: boolean
  readonly isDirectory: boolean
  readonly isLink: boolean
}

export type RemoteOpenFile = {
  read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>
  look(): Promise<RemoteSeen>
  close(): Promise<void>
}

type Session = { readonly sftp: SFTPWrapper; end(reason: string): void }
type Done<T> = (error: Error | null | undefined, value?: T) => void

export class SshFiles {
  readonly #target: SshTarget
  readonly #clock: Pick<Clock, 'elapsedMs'>
  readonly #sessions: HostSessions
  #session: Session | undefined
  #opening: Promise<Session> | undefined
  #isClosed = false
  /** Why it is down, and when it is tried again. */
  #said = ''
  #backOffMs = 0
  #notBeforeMs = Number.NEGATIVE_INFINITY

  constructor(
    target: SshTarget,
    deps: { readonly clock: Pick<Clock, 'elapsedMs'>; readonly sessions: HostSessions },
  ) {
    this.#target = target
    this.#clock = deps.clock
    this.#sessions = deps.sessions
  }

  /** Links are told as links. Fails as `ask` does. */
  async list(directory: string): Promise<readonly (RemoteSeen & { readonly name: string })[]> {
    const entries = await this.#ask<readonly { filename: string; attrs: Attributes }[]>(
      (sftp, done) => sftp.readdir(directory, done),
    )
    return (
      entries
        // A name from elsewhere must not lead out of its directory.
        .filter(({ filename }) => !/^\.{0,2}$|[/\0]/.test(filename))
        .map(({ filename, attrs }) => ({ name: filename, ...seenOf(attrs) }))
    )
  }

  /** Links are followed. */
  async stat(path: string): Promise<RemoteSeen> {
    return seenOf(await this.#ask<Attributes>((sftp, done) => sftp.stat(path, done)))
  }

  /** Behind links; of a name that is not there, where it would be. */
  async realPath(path: string): Promise<string> {
    return await this.#ask<string>((sftp, done) => sftp.realpath(path, done))
  }

  async open(path: string): Promise<RemoteOpenFile> {
    const session = await this.#connected()
    const handle = await this.#askOf<Buffer>(session, (sftp, done) => sftp.open(path, 'r', done))
    return {
      read: async (buffer, offset, length, position) => {
        const bytesRead = await this.#askOf<number>(session, (sftp, done) =>
          sftp.read(handle, buffer, offset, length, position, done),
        )
        return { bytesRead }
      },
      look: async () =>
        seenOf(await this.#askOf<Attributes>(session, (sftp, done) => sftp.fstat(handle, done))),
      close: async () => {
        if (session !== this.#session) return
        await this.#askOf<true>(session, (sftp, done) =>
          sftp.close(handle, (error) => done(error, true)),
        )
      },
    }
  }

  close(): void {
    this.#isClosed = true
    this.#session?.end('it is closed')
  }

  async #ask<T>(call: (sftp: SFTPWrapper, done: Done<T>) => void): Promise<T> {
    return await this.#askOf(await this.#connected(), call)
  }

  /** Fails with ENOENT, EACCES, EIO, or RemoteFault where the connection is to blame. */
  async #askOf<T>(session: Session, call: (sftp: SFTPWrapper, done: Done<T>) => void): Promise<T> {
    if (session !== this.#session) throw this.#fault()
    return await new Promise<T>((resolve, reject) => {
      const lost = () => {
        clearTimeout(timer)
        reject(this.#fault())
      }
      const timer = setTimeout(() => {
        session.end('no answer in time')
        lost()
      }, ANSWER_MS)
      session.sftp.once('close', lost)
      const done: Done<T> = (error, value) => {
        clearTimeout(timer)
        session.sftp.removeListener('close', lost)
        if (session !== this.#session) lost()
        else if (error || value === undefined) reject(toSystemError(error ?? undefined))
        else resolve(value)
      }
      try {
        call(session.sftp, done)
      } catch {
        // It says so when it is written to after its end.
        session.end('the connection was cut off')
        lost()
      }
    })
  }

  async #connected(): Promise<Session> {
    if (this.#isClosed) throw new RemoteFault('it is closed')
    if (this.#session !== undefined) return this.#session
    if (this.#clock.elapsedMs() < this.#notBeforeMs) throw this.#fault()
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined
    })
    return await this.#opening
  }

  async #open(): Promise<Session> {
    const { host, port, hostKey } = this.#target
    if (hostKey === '')
      throw this.#failed(
        'its host key is not confirmed: run addSSHAccount -update true -verify true and compare what it shows, or give -hostKey',
      )
    const signal = AbortSignal.timeout(CONNECT_MS)
    const giveBack = this.#sessions.take(host)
    let socket: Socket | undefined
    try {
      const { address } = await findAddress(host, signal)
      socket = connect({ host: address, port })
      // Also before somebody else listens; what waits for it ends by its limit.
      socket.on('error', () => undefined)
      await once(socket, 'connect', { signal })
      const session = await this.#signIn(socket, signal, giveBack)
      this.#session = session
      this.#backOffMs = 0
      this.#said = ''
      if (this.#isClosed) session.end('it is closed')
      return session
    } catch (error) {
      giveBack()
      socket?.destroy()
      throw error instanceof RemoteFault ? error : this.#failed(describeConnection(error, signal))
    }
  }

  async #signIn(socket: Socket, signal: AbortSignal, giveBack: () => void): Promise<Session> {
    const { client, key, connect } = await makeSshClient(this.#target, socket, signal, KEEPALIVE)
    return await new Promise((resolve, reject) => {
      let own: Session | undefined
      let isOver = false
      const end = (reason: string) => {
        if (isOver) return
        isOver = true
        giveBack()
        reject(this.#failed(reason))
        if (own !== undefined && own === this.#session) this.#session = undefined
        client.end()
        socket.destroy()
      }
      const late = () => end('no answer in time')
      signal.addEventListener('abort', late, { once: true })
      client.on('error', (error) => {
        if (/keepalive/i.test(error.message)) late()
        else if (own === undefined) end(describeSsh(error, key, this.#target))
        else end('the connection was cut off')
      })
      client.on('close', () => end('the connection was cut off'))
      client.on('ready', () => {
        client.sftp((error, sftp) => {
          if (error) return end('SFTP is refused: files cannot be read')
          signal.removeEventListener('abort', late)
          // One listener for each question under way.
          sftp.setMaxListeners(0)
          sftp.on('close', () => end('the connection was cut off'))
          own = { sftp, end }
          resolve(own)
        })
      })
      connect()
    })
  }

  /** Notes why, and when it is tried again. */
  #failed(reason: string): RemoteFault {
    this.#said = reason
    this.#backOffMs = Math.min(MOST_BACK_OFF_MS, Math.max(FIRST_BACK_OFF_MS, this.#backOffMs * 2))
    this.#notBeforeMs = this.#clock.elapsedMs() + this.#backOffMs
    return this.#fault()
  }

  #fault(): RemoteFault {
    const { host, port } = this.#target
    return new RemoteFault(`${host}:${port}: ${this.#said || 'the connection was cut off'}`)
  }
}

function seenOf(attributes: Attributes): RemoteSeen {
  const kind = attributes.mode & 0o170000
  return {
    ...{ size: attributes.size, changedMs: attributes.mtime * 1000 },
    ...{ isFile: kind === 0o100000, isDirectory: kind === 0o040000, isLink: kind === 0o120000 },
  }
}

function toSystemError(error: Error | undefined): Error {
  const number = error !== undefined && 'code' in error ? Number(error.code) : Number.NaN
  return Object.assign(new Error('the other machine refuses it'), { code: CODES[number] ?? 'EIO' })
}
