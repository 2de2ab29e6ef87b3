// The HTTP server on uWebSockets.js: raw routes and the fetch bridge on one application.
import type { TemplatedApp, us_listen_socket, us_socket } from 'uWebSockets.js'
import { Failure } from '../../../schemas/failures.ts'
import { systemClock } from '../../clock.ts'
import { describeError } from '../../logger.ts'
import { makeAccessLog } from '../access-log.ts'
import { parseTrustedProxies } from '../client-address.ts'
import { OpenExchanges } from '../open-exchanges.ts'
import type { HttpServer, HttpServerOptions } from '../port.ts'
import { tryListen } from '../try-listen.ts'
import { type BridgeContext, handleFetch } from './fetch-bridge.ts'
import type { Uws } from './load.ts'
import { handleRaw } from './raw-exchange.ts'
import { startTlsListener } from './tls-listener.ts'

/** uWS's names for these are declared as types only. */
const SHARED_PORT = 0
const EXCLUSIVE_PORT = 1

/** The package declares no form with an address and options (uws-pack 20.0.8); the module has
 *  it. */
type Listen = {
  listen(port: number, options: number, done: (socket: unknown) => void): void
  listen(address: string, port: number, options: number, done: (socket: unknown) => void): void
}

/** Fails with http.port_taken, http.cannot_listen, http.certificate; RangeError for a bad trusted
 *  proxy. */
export async function openUwsServer(uWS: Uws, options: HttpServerOptions): Promise<HttpServer> {
  if (options.streamsBody !== undefined)
    throw new RangeError('bodies that stream are of the engine node:http alone')
  const open = new OpenExchanges()
  const trusted = parseTrustedProxies(options.trustedProxies)
  const onBug = (error: unknown): void =>
    options.logger.error('request handler failed', describeError(error))
  const accessLog = makeAccessLog(options.logger, systemClock)
  const bridge: BridgeContext = {
    fetch: options.fetch,
    scheme: options.tls === undefined ? 'http' : 'https',
    trusted,
    open,
    accessLog,
    onBug,
  }
  const shared = { trusted, open, accessLog, onBug }
  const posted = { ...shared, method: 'POST' }
  const mount = (app: TemplatedApp): void => {
    for (const route of options.rawRoutes) {
      // The usual method's name is known without asking for it.
      app.post(route.path, (res, req) => handleRaw(route, { res, req }, posted))
      app.any(route.path, (res, req) =>
        handleRaw(route, { res, req }, { ...shared, method: req.getCaseSensitiveMethod() }),
      )
    }
    app.any('/*', (res, req) => handleFetch(res, req, bridge))
  }

  const application = await openApplication(uWS, options, mount)
  let listenSocket: us_listen_socket
  try {
    listenSocket = await listen(application.app, options)
  } catch (error) {
    application.close()
    throw error
  }
  let stopped: Promise<void> | undefined
  const stop = async (graceMs: number): Promise<void> => {
    uWS.us_listen_socket_close(listenSocket)
    await open.drain(AbortSignal.timeout(graceMs))
    // An answer given in this very turn still has to leave.
    await new Promise((resolve) => setImmediate(resolve))
    application.close()
  }
  return {
    port: uWS.us_socket_local_port(listenSocket as us_socket),
    // Closing a listen socket twice ends the process.
    stop: (graceMs) => {
      stopped ??= stop(graceMs)
      return stopped
    },
  }
}

async function openApplication(
  uWS: Uws,
  options: HttpServerOptions,
  mount: (app: TemplatedApp) => void,
): Promise<{ app: TemplatedApp; close: () => void }> {
  if (options.tls !== undefined) {
    const listener = await startTlsListener(uWS, options.tls, mount, options.logger)
    return { app: listener.acceptor, close: () => listener.close() }
  }
  const app = uWS.App()
  mount(app)
  return { app, close: () => void app.close() }
}

function listen(app: TemplatedApp, options: HttpServerOptions): Promise<us_listen_socket> {
  const { address, port } = options
  const mode = options.sharePort ? SHARED_PORT : EXCLUSIVE_PORT
  return new Promise((resolve, reject) => {
    const done = (socket: unknown): void => {
      if (socket) resolve(socket as us_listen_socket)
      else void explainRefusal(options).then(reject)
    }
    const listener = app as unknown as Listen
    // An empty address in the longer form ignores the mode.
    if (address === '') listener.listen(port, mode, done)
    else listener.listen(address, port, mode, done)
  })
}

/** uWS does not say why it cannot listen. When Node can, somebody has shared the port and gone
 *  meanwhile. */
async function explainRefusal({ address, port, tls }: HttpServerOptions): Promise<Failure> {
  const setting = `LOGEYE_HTTP_${tls === undefined ? 'PLAIN' : 'TLS'}_PORT`
  const refusal = await tryListen({ address, port, setting })
  return refusal ?? new Failure('http.port_taken', { port, setting })
}
