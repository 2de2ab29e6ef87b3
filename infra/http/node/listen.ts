// Takes the port, alone or with other processes.
import type { ListenOptions, Server } from 'node:net'
import { Failure } from '../../../schemas/failures.ts'
import type { HttpServerOptions } from '../port.ts'

/** Missing in @types/node 20. */
type Place = ListenOptions & { reusePort?: boolean }

/** Whether this Node can share a port among processes that it did not fork. */
export function canSharePort(version = process.versions.node): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 23 || (major === 23 && minor >= 1) || (major === 22 && minor >= 12)
}

/** Fails with http.port_taken or http.cannot_listen. */
export function listen(server: Server, options: HttpServerOptions): Promise<void> {
  const { address, port, tls, sharePort } = options
  const place: Place = {
    port,
    exclusive: true,
    ...(address === '' ? {} : { host: address }),
    ...(sharePort ? { reusePort: true } : {}),
  }
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      const reason = error.code ?? 'unknown'
      const setting = `LOGEYE_HTTP_${tls === undefined ? 'PLAIN' : 'TLS'}_PORT`
      const shown = address === '' ? '*' : address
      reject(
        reason === 'EADDRINUSE'
          ? new Failure('http.port_taken', { port, setting }, error)
          : new Failure('http.cannot_listen', { address: shown, port, reason }, error),
      )
    }
    server.once('error', onError)
    server.listen(place, () => {
      server.off('error', onError)
      resolve()
    })
  })
}
