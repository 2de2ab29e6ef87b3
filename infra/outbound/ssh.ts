// SSH to other machines by the package ssh2, which is loaded when it is needed.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Client, ConnectConfig } from 'ssh2'
import { trimEnd } from '../../schemas/names/trim-end.ts'
import { describeConnection } from './describe-connection.ts'
import { findAddress, OutboundError } from './find-address.ts'
import { readPrivateKey } from './private-key.ts'

export type SshTarget = {
  readonly host: string
  readonly port: number
  readonly userName: string
  readonly password: string | undefined
  /** Text of the file. */
  readonly privateKey: string | undefined
  readonly passphrase: string | undefined
  /** `<type> SHA256:…` or `SHA256:…`; '' takes any. */
  readonly hostKey: string
}

export type SshSeen =
  | { readonly failed: string }
  | { readonly hostKey: string; readonly hasSftp: boolean }

const HOST_KEY_TYPES = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
] as const

/** Signs in, asks for SFTP, and goes. */
export async function trySsh(target: SshTarget, signal: AbortSignal): Promise<SshSeen> {
  let socket: Socket | undefined
  try {
    const { address } = await findAddress(target.host, signal)
    socket = connect({ host: address, port: target.port })
    // Also while the private key is read, before the client listens.
    socket.on('error', () => undefined)
    await once(socket, 'connect', { signal })
    return await signIn(target, socket, signal)
  } catch (error) {
    return { failed: describeConnection(error, signal) }
  } finally {
    socket?.destroy()
  }
}

async function signIn(target: SshTarget, socket: Socket, signal: AbortSignal): Promise<SshSeen> {
  const { client, key, connect } = await makeSshClient(target, socket, signal)
  const ended = new Promise<SshSeen>((resolve) => {
    const fail = (failed: string) => resolve({ failed })
    signal.addEventListener('abort', () => fail('no answer in time'), { once: true })
    client.on('error', (error) => fail(describeSsh(error, key, target)))
    client.on('close', () => fail('the connection was cut off'))
    client.on('ready', () => {
      client.sftp((error) => resolve({ hostKey: key.shown, hasSftp: error === undefined }))
    })
  })
  connect()
  try {
    return await ended
  } finally {
    client.on('error', () => {})
    client.end()
  }
}

type ShownKey = { shown: string; isRefused: boolean }

/** Listen to the client, then connect; the socket has a listener for errors. Rejects with
 *  OutboundError where the private key cannot be used or the socket was closed meanwhile, or with
 *  the reason of the signal. */
export async function makeSshClient(
  target: SshTarget,
  socket: Socket,
  signal: AbortSignal,
  options: Pick<ConnectConfig, 'keepaliveInterval' | 'keepaliveCountMax'> = {},
): Promise<{ client: Client; key: ShownKey; connect: () => void }> {
  const { Client } = (await import('ssh2')).default
  const privateKey = await openKey(target, signal)
  // The client does not see a close of before.
  if (socket.destroyed) throw new OutboundError('the connection was cut off')
  const client = new Client()
  const wanted = splitHostKey(target.hostKey)
  const key: ShownKey = { shown: '', isRefused: false }
  const config: ConnectConfig = {
    ...options,
    sock: socket,
    username: target.userName,
    ...(target.password === undefined ? {} : { password: target.password, tryKeyboard: false }),
    ...(privateKey === undefined ? {} : { privateKey }),
    // 0: our signal is the limit of all.
    readyTimeout: 0,
    algorithms: { serverHostKey: hostKeyTypes(wanted.type) },
    hostVerifier: (bytes: Buffer) => {
      key.shown = printHostKey(bytes)
      key.isRefused =
        wanted.fingerprint !== '' && splitHostKey(key.shown).fingerprint !== wanted.fingerprint
      return !key.isRefused
    },
  }
  return { client, key, connect: () => void client.connect(config) }
}

/** Without a passphrase: the client reads it in this thread. */
async function openKey(
  { privateKey, passphrase }: SshTarget,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (privateKey === undefined) return undefined
  const read = await readPrivateKey(privateKey, passphrase, signal)
  if ('fault' in read) throw new OutboundError(`the private key ${read.fault}`)
  return read.key
}

/** A known key is asked for by its type: a machine with several shows the same one again. */
function hostKeyTypes(type: string) {
  if (type === 'ssh-rsa') return HOST_KEY_TYPES.filter((it) => it.startsWith('rsa'))
  const known = HOST_KEY_TYPES.filter((it) => it === type)
  return known.length > 0 ? known : [...HOST_KEY_TYPES]
}

/** As `ssh-keygen -lf` prints it, after the type. */
function printHostKey(key: Buffer): string {
  const type = key.toString('latin1', 4, 4 + key.readUInt32BE(0))
  const digest = trimEnd(createHash('sha256').update(key).digest('base64'), '=')
  return `${type} SHA256:${digest}`
}

function splitHostKey(text: string): { type: string; fingerprint: string } {
  const parts = text.split(' ')
  return { type: parts.length > 1 ? (parts[0] ?? '') : '', fingerprint: parts.at(-1) ?? '' }
}

export function describeSsh(
  error: Error,
  { shown, isRefused }: ShownKey,
  target: Pick<SshTarget, 'hostKey'>,
): string {
  if (isRefused)
    return `the machine shows the host key ${shown}, not ${target.hostKey}: if it has a new key, give it as -hostKey`
  if (/configured authentication methods failed/i.test(error.message))
    return 'the machine refuses this user with what is given'
  if (/handshake failed|no matching/i.test(error.message))
    return 'the machine and the product know no common way to speak SSH'
  return 'it does not speak SSH, or ended the connection'
}
