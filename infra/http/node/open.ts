// The HTTP server on node:http and node:https: where uWebSockets.js has no binary, and where
// somebody asks for it. It refuses what RFC 9112 lets be read in two ways, answers pipelined
// requests in order, and serves HTTP/1.0.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { systemClock } from '../../clock.ts'
import { describeError } from '../../logger.ts'
import { makeAccessLog } from '../access-log.ts'
import { openCertificate } from '../certificate.ts'
import {
  formatPeer,
  parseTrustedProxies,
  resolveClient,
  type TrustedProxies,
} from '../client-address.ts'
import { HEADER_LIMIT_BYTES } from '../header-limit-name.ts'
import { OpenExchanges } from '../open-exchanges.ts'
import type { HttpServer, HttpServerOptions } from '../port.ts'
import { Connection } from './connection.ts'
import { faultStatus } from './fault-status.ts'
import { handleFetch } from './fetch-bridge.ts'
import { listen } from './listen.ts'
import { readProxyHeader } from './proxy-header.ts'
import { handleRaw } from './raw-exchange.ts'
import { isFaulty, readTarget } from './request-head.ts'

const IDLE_LIMIT_MS = 10_000
const HEADERS_LIMIT_MS = 12_000
const CHECK_EVERY_MS = 1000
/** After a stop, what was answered last still has to leave. */
const LAST_BYTES_MS = 200

const SETTINGS = {
  maxHeaderSize: HEADER_LIMIT_BYTES,
  headersTimeout: HEADERS_LIMIT_MS,
  // Uploads have a floor instead (connection.ts): a large body on a slow line is no fault.
  requestTimeout: 0,
  keepAliveTimeout: IDLE_LIMIT_MS,
  connectionsCheckingInterval: CHECK_EVERY_MS,
  insecureHTTPParser: false,
  // Asked with everything else that can be read in two ways (request-head.ts).
  requireHostHeader: false,
}

/** Missing in @types/node 20. */
type HalfOpen = { httpAllowHalfOpen: boolean }

/** Fails with http.port_taken, http.cannot_listen, http.certificate; RangeError for a bad trusted
 *  proxy. */
export async function openNodeServer(options: HttpServerOptions): Promise<HttpServer> {
  const trusted = parseTrustedProxies(options.trustedProxies)
  const open = new OpenExchanges()
  const connections = new Map<Socket, Connection>()
  /** By sockets that TLS may wrap: what a PROXY header said of the other end. */
  const proxied = new Map<string, string>()
  const onBug = (error: unknown): void =>
    options.logger.error('request handler failed', describeError(error))
  const { clock = systemClock } = options
  const accessLog = makeAccessLog(options.logger, clock)
  const scheme = options.tls === undefined ? 'http' : 'https'
  const routes = new Map(options.rawRoutes.map((route) => [route.path, route]))

  const serve = (req: IncomingMessage, res: ServerResponse): void => {
    const connection = connections.get(req.socket)
    if (connection === undefined || connection.isRefused) {
      req.resume()
      connection?.ignore()
      return
    }
    const target = readTarget(req.url ?? '')
    if (isFaulty(req) || target === undefined) {
      req.resume()
      connection.refuse(400)
      return
    }
    const { path, query } = target
    const address = trusted.isEmpty
      ? connection.peer
      : resolveClient(
          {
            peer: connection.peer,
            proxied: connection.proxied,
            forwardedFor: String(req.headers['x-forwarded-for'] ?? ''),
          },
          trusted,
        )
    const access = accessLog?.({ method: req.method ?? '', path, peer: address })
    const route = routes.get(path)
    if (route === undefined)
      handleFetch(req, res, {
        ...{ connection, open, access, scheme, target, address, onBug },
        isStreamed: options.streamsBody?.(req.method ?? '', path) ?? false,
        fetch: options.fetch,
      })
    else handleRaw(route, { req, res }, { connection, open, access, peer: address, query, onBug })
  }

  const certificate =
    options.tls === undefined
      ? undefined
      : await openCertificate(
          options.tls,
          (pair) => 'setSecureContext' in server && server.setSecureContext(pair),
          options.logger,
        )
  const server: Server | TlsServer =
    certificate === undefined
      ? createServer(SETTINGS, serve)
      : createTlsServer(
          { ...SETTINGS, ...certificate.pair, handshakeTimeout: HEADERS_LIMIT_MS },
          serve,
        )
  server.maxHeadersCount = 0
  // A sender that closes its side behind its request still reads the answer.
  ;(server as unknown as HalfOpen).httpAllowHalfOpen = true
  const nameOf = (socket: Socket): string => `${socket.remoteAddress} ${socket.remotePort}`
  server.on(certificate === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    const said = proxied.size === 0 ? '' : (proxied.get(nameOf(socket)) ?? '')
    connections.set(socket, new Connection(socket, formatPeer(socket.remoteAddress ?? ''), said))
    socket.once('close', () => connections.delete(socket))
  })
  if (!trusted.isEmpty) readProxiesFirst(server, trusted, nameOf, proxied)
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const connection = connections.get(socket)
    const status = faultStatus(error, socket)
    if (connection === undefined || status === undefined) socket.destroy()
    else if (status > 0) connection.refuse(status)
  })
  server.on('connect', (_req, socket: Socket) => connections.get(socket)?.refuse(405))
  const checker = setInterval(() => {
    const nowMs = clock.elapsedMs()
    for (const connection of connections.values()) connection.checkTime(nowMs)
  }, CHECK_EVERY_MS).unref()
  const close = (): void => {
    clearInterval(checker)
    certificate?.close()
  }
  try {
    await listen(server, options)
  } catch (error) {
    close()
    throw error
  }
  const stop = async (graceMs: number): Promise<void> => {
    server.close()
    await open.drain(AbortSignal.timeout(graceMs))
    for (const socket of connections.keys()) socket.destroySoon()
    await Promise.race([untilEmpty(connections), systemClock.sleep(LAST_BYTES_MS)])
    for (const socket of connections.keys()) socket.destroy()
    server.closeAllConnections()
    close()
  }
  let stopped: Promise<void> | undefined
  return {
    port: (server.address() as AddressInfo).port,
    stop: (graceMs) => {
      stopped ??= stop(graceMs)
      return stopped
    },
  }
}

/** Puts the reading of PROXY headers before what the server does with a connection. */
function readProxiesFirst(
  server: Server | TlsServer,
  trusted: TrustedProxies,
  nameOf: (socket: Socket) => string,
  proxied: Map<string, string>,
): void {
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  const isTls = 'setSecureContext' in server
  const serve = (socket: Socket): void => {
    for (const listener of listeners) listener.call(server, socket)
  }
  server.on('connection', (socket: Socket) => {
    if (!trusted.has(formatPeer(socket.remoteAddress ?? ''))) return serve(socket)
    const name = nameOf(socket)
    readProxyHeader(socket, (address) => {
      if (address !== '') {
        proxied.set(name, address)
        socket.once('close', () => proxied.delete(name))
      }
      serve(socket)
      // TLS reads the socket by itself.
      if (!isTls) socket.resume()
    })
  })
}

async function untilEmpty(connections: ReadonlyMap<Socket, Connection>): Promise<void> {
  while (connections.size > 0) await systemClock.sleep(10)
}
