// Ports that the supervisor settles before any child starts, so that a restarted child finds its own again.
import { createServer } from 'node:net'
import { Failure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'

/** Below the ports that systems give to outgoing connections, one of which could sit on ours while the store restarts. */
const FIRST = 20_000
const RANGE = 12_000
const TRIES = 50

/** A loopback port that nobody listens on now. */
export async function findFreePort(clock: Clock): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = FIRST + (clock.randomBytes(2).readUInt16LE(0) % RANGE)
    if ((await tryListen('127.0.0.1', port)) === undefined) return port
  }
  throw new Failure('start.refused', { reason: 'no free port was found on 127.0.0.1' })
}

/** Fails with http.port_taken or http.cannot_listen. Also sees a port that another product shares. 0 gives a free one. */
export async function claimPort(
  claim: { address: string; port: number; setting: string },
  clock: Clock,
): Promise<number> {
  const { address, port, setting } = claim
  if (port === 0) return await findFreePort(clock)
  const reason = await tryListen(address, port)
  if (reason === undefined) return port
  if (reason === 'EADDRINUSE') throw new Failure('http.port_taken', { port, setting })
  throw new Failure('http.cannot_listen', { address: address === '' ? '*' : address, port, reason })
}

/** The system's reason when it is refused. */
function tryListen(address: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
    server.listen({ port, ...(address === '' ? {} : { host: address }), exclusive: true }, () =>
      server.close(() => resolve(undefined)),
    )
  })
}
