// The PROXY protocol, version 2, ahead of HTTP or of the TLS handshake: read from a trusted proxy
// before anything else sees the connection. What is no PROXY header is given back untouched.
import type { Socket } from 'node:net'
import { formatAddress } from '../client-address.ts'

const SIGNATURE = Buffer.from('0d0a0d0a000d0a515549540a', 'hex')
const FIXED_BYTES = 16
/** Addresses and what a proxy adds behind them. */
const MAX_BYTES = 4096
const LIMIT_MS = 12_000

export type ProxyHeader =
  | { readonly kind: 'none' | 'more' | 'broken' }
  /** `address` is '' where the proxy speaks for itself. */
  | { readonly kind: 'header'; readonly address: string; readonly bytes: number }

export function parseProxyHeader(bytes: Buffer): ProxyHeader {
  const compared = Math.min(bytes.length, SIGNATURE.length)
  if (SIGNATURE.compare(bytes, 0, compared, 0, compared) !== 0) return { kind: 'none' }
  if (bytes.length < FIXED_BYTES) return { kind: 'more' }
  const [version, command] = [(bytes[12] ?? 0) >> 4, (bytes[12] ?? 0) & 15]
  const family = (bytes[13] ?? 0) >> 4
  const length = bytes.readUInt16BE(14)
  if (version !== 2 || command > 1 || FIXED_BYTES + length > MAX_BYTES) return { kind: 'broken' }
  const end = FIXED_BYTES + length
  if (bytes.length < end) return { kind: 'more' }
  const addressBytes = family === 1 ? 4 : family === 2 ? 16 : 0
  if (command === 0 || addressBytes === 0) return { kind: 'header', address: '', bytes: end }
  if (length < addressBytes * 2 + 4) return { kind: 'broken' }
  const source = Uint8Array.from(bytes.subarray(FIXED_BYTES, FIXED_BYTES + addressBytes))
  return { kind: 'header', address: formatAddress(source.buffer), bytes: end }
}

/** Calls `serve` with the address that the header names, the socket paused behind it. A broken
 *  header ends the connection. */
export function readProxyHeader(socket: Socket, serve: (address: string) => void): void {
  let seen: Buffer = Buffer.alloc(0)
  const timer = setTimeout(() => socket.destroy(), LIMIT_MS)
  const finish = (address: string, rest: Buffer): void => {
    stop()
    socket.pause()
    if (rest.length > 0) socket.unshift(rest)
    serve(address)
  }
  const onData = (chunk: Buffer): void => {
    seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk])
    const header = parseProxyHeader(seen)
    if (header.kind === 'none') finish('', seen)
    else if (header.kind === 'header') finish(header.address, seen.subarray(header.bytes))
    else if (header.kind === 'broken') socket.destroy()
  }
  const stop = (): void => {
    clearTimeout(timer)
    socket.off('data', onData).off('error', onError).off('close', stop).off('end', onEnd)
  }
  const onError = (): void => void socket.destroy()
  const onEnd = (): void => void socket.destroy()
  socket.on('data', onData).on('error', onError).on('close', stop).on('end', onEnd)
}
