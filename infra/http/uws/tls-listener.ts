// HTTPS whose certificate can change while it runs. One acceptor owns the listen socket for ever
// and hands each connection to the newest SSL application; a renewed pair makes another
// application, the older one goes on with the connections it has. So no connection is refused or
// lost, which closing and opening a listen socket cannot promise (its queue of waiting connections
// dies with it).
import type { TemplatedApp } from 'uWebSockets.js'
import type { Logger } from '../../logger.ts'
import { openCertificate, type TlsFiles } from '../certificate.ts'
import type { Uws } from './load.ts'

/** Missing in the package's types (uws-pack 20.0.8), there in the module. */
type ChildApps = {
  getDescriptor(): number
  addChildAppDescriptor(descriptor: number): void
  removeChildAppDescriptor(descriptor: number): void
}
type SslApp = TemplatedApp & ChildApps

export interface TlsListener {
  /** To listen with; it has no routes of its own. */
  readonly acceptor: TemplatedApp
  close(): void
}

/** Fails with http.certificate when the pair cannot be used now. `mount` puts the routes on each
 *  application. */
export async function startTlsListener(
  uWS: Uws,
  files: TlsFiles,
  mount: (app: TemplatedApp) => void,
  logger: Logger,
): Promise<TlsListener> {
  const apps: SslApp[] = []
  const install = (): void => {
    const app = makeApp(uWS, files)
    mount(app)
    const older = apps.at(-1)
    apps.push(app)
    acceptor.addChildAppDescriptor(app.getDescriptor())
    if (older !== undefined) acceptor.removeChildAppDescriptor(older.getDescriptor())
  }
  const certificate = await openCertificate(files, install, logger)
  const acceptor = makeApp(uWS, files)
  install()
  return {
    acceptor,
    close: () => {
      certificate.close()
      acceptor.close()
      for (const app of apps) app.close()
    },
  }
}

function makeApp(uWS: Uws, files: TlsFiles): SslApp {
  const app = uWS.SSLApp({ cert_file_name: files.certificateFile, key_file_name: files.keyFile })
  return app as SslApp
}
