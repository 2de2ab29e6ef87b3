// HTTPS whose certificate can change while it runs. One acceptor owns the listen socket for ever and hands each connection to the newest
// SSL application; a renewed pair makes another application, the older one goes on with the connections it has. So no connection is
// refused or lost, which closing and opening a listen socket cannot promise (its queue of waiting connections dies with it).

import * as uWS from 'uWebSockets.js'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { Failure } from '../../schemas/failures.ts'
import { describeError, type Logger } from '../logger.ts'

const LOOK_EVERY_MS = 1000

export type TlsFiles = { readonly certificateFile: string; readonly keyFile: string }

/** Missing in the package's types (uws-pack 20.0.8), there in the module. */
type ChildApps = {
  getDescriptor(): number
  addChildAppDescriptor(descriptor: number): void
  removeChildAppDescriptor(descriptor: number): void
}
type SslApp = uWS.TemplatedApp & ChildApps

export interface TlsListener {
  /** To listen with; it has no routes of its own. */
  readonly acceptor: uWS.TemplatedApp
  close(): void
}

/** Fails with http.certificate when the pair cannot be used now. `mount` puts the routes on each application. */
export async function startTlsListener(
  files: TlsFiles,
  mount: (app: uWS.TemplatedApp) => void,
  logger: Logger,
): Promise<TlsListener> {
  let seen = await fingerprint(files)
  await checkPair(files)
  const acceptor = makeApp(files)
  const apps: SslApp[] = []
  const install = (): void => {
    const app = makeApp(files)
    mount(app)
    const older = apps.at(-1)
    apps.push(app)
    acceptor.addChildAppDescriptor(app.getDescriptor())
    if (older !== undefined) acceptor.removeChildAppDescriptor(older.getDescriptor())
  }
  install()

  let hasWarned = false
  let isLooking = false
  const look = async (): Promise<void> => {
    const now = await fingerprint(files)
    if (now === seen) return
    try {
      // A pair that is half written does not fit together: looked at again the next time.
      await checkPair(files)
      if ((await fingerprint(files)) !== now) return
      install()
      seen = now
      hasWarned = false
      logger.info('certificate renewed')
    } catch (error) {
      if (!hasWarned) logger.warn('renewed certificate cannot be used yet', describeError(error))
      hasWarned = true
    }
  }
  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    void look().finally(() => {
      isLooking = false
    })
  }, LOOK_EVERY_MS)
  timer.unref()

  return {
    acceptor,
    close: () => {
      clearInterval(timer)
      acceptor.close()
      for (const app of apps) app.close()
    },
  }
}

function makeApp(files: TlsFiles): SslApp {
  const app = uWS.SSLApp({ cert_file_name: files.certificateFile, key_file_name: files.keyFile })
  return app as SslApp
}

/** Changes when either file does; '' while one is missing. */
async function fingerprint(files: TlsFiles): Promise<string> {
  try {
    const both = await Promise.all([stat(files.certificateFile), stat(files.keyFile)])
    return both.map((file) => `${file.ino}:${file.size}:${file.mtimeMs}`).join(' ')
  } catch {
    return ''
  }
}

async function checkPair(files: TlsFiles): Promise<void> {
  try {
    const [cert, key] = await Promise.all([
      readFile(files.certificateFile),
      readFile(files.keyFile),
    ])
    createSecureContext({ cert, key })
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
      throw new Error('the key does not belong to the certificate')
  } catch (error) {
    // The text is OpenSSL's or the file system's: it names files and formats, no contents.
    const reason = error instanceof Error ? error.message : 'unknown'
    throw new Failure('http.certificate', { reason }, error)
  }
}
