// The open ports of one process: the plain one, and the one for TLS when there is a certificate.
import type { Config } from '../config-schema.ts'
import type { Lifecycle } from '../lifecycle.ts'
import type { Logger } from '../logger.ts'
import { chooseHttpEngine } from './engine.ts'
import type { HttpServer, RawRoute, StreamsBody } from './port.ts'

type Options = {
  readonly http: Config['http']
  readonly rawRoutes?: readonly RawRoute[]
  readonly fetch: (request: Request, client: { address: string }) => Response | Promise<Response>
  readonly streamsBody?: StreamsBody
  readonly logger: Logger
  readonly lifecycle: Lifecycle
}

/** Fails with http.port_taken or http.cannot_listen. An opened plain port is closed with the
 *  process, whatever fails after it. */
export async function openServers(options: Options): Promise<HttpServer[]> {
  const { http, rawRoutes = [], fetch, streamsBody, logger, lifecycle } = options
  // Only processes that listen load an HTTP engine.
  const engine = await chooseHttpEngine(http)
  logger.debug('http engine', { engine: engine.name })
  const { address, plainPort, tlsPort, trustedProxies, certificateFile, keyFile } = http
  const sharePort = http.frontProcesses > 1
  const streams = streamsBody === undefined ? {} : { streamsBody }
  const common = { address, trustedProxies, sharePort, rawRoutes, fetch, ...streams, logger }
  const plain = await engine.open({ ...common, port: plainPort })
  lifecycle.add('plain door', () => plain.stop(0))
  if (certificateFile === undefined || keyFile === undefined) return [plain]
  const tls = { certificateFile, keyFile }
  return [plain, await engine.open({ ...common, port: tlsPort, tls })]
}
