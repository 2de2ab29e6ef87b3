// Whether a port could be listened on now, tried with Node: uWS does not say why it cannot, and the
// supervisor asks before anything runs.
import { createServer } from 'node:net'
import { Failure } from '../../schemas/failures.ts'

/** undefined: it can. Else http.port_taken or http.cannot_listen; sees a port that others share as
 *  taken, too. */
export function tryListen(place: {
  /** '' for every address. */
  readonly address: string
  readonly port: number
  /** Names the port in the report. */
  readonly setting: string
}): Promise<Failure | undefined> {
  const { address, port, setting } = place
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code ?? 'unknown'
      const shown = address === '' ? '*' : address
      resolve(
        reason === 'EADDRINUSE'
          ? new Failure('http.port_taken', { port, setting }, error)
          : new Failure('http.cannot_listen', { address: shown, port, reason }, error),
      )
    })
    probe.listen({ port, ...(address === '' ? {} : { host: address }), exclusive: true }, () =>
      probe.close(() => resolve(undefined)),
    )
  })
}
