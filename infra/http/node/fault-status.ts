// What to answer when Node's parser gives a connection up.
import type { Socket } from 'node:net'

const STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** undefined: there is nobody to answer. 0: nothing to say, the connection ends by itself. */
export function faultStatus(error: NodeJS.ErrnoException, socket: Socket): number | undefined {
  const { code = '' } = error
  // Bytes behind a request that asked for the end.
  if (code === 'HPE_CLOSED_CONNECTION') return 0
  const isOfProtocol = code.startsWith('HPE_') || code === 'ERR_HTTP_REQUEST_TIMEOUT'
  // A connection that was opened ahead of its first request and never used ends without an answer.
  if (!isOfProtocol || !socket.writable || socket.bytesRead === 0) return undefined
  return STATUS[code] ?? 400
}
