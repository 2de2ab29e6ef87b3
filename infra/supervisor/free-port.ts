// Ports that the supervisor settles before any child starts, so that a restarted child finds its
// own again.
import { Failure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'
import { tryListen } from '../http/try-listen.ts'

/** Below the ports that systems give to outgoing connections, one of which could sit on ours while
 *  the store restarts. */
const FIRST = 20_000
const RANGE = 12_000
const TRIES = 50
/** Nobody may listen on them yet. */
const given = new Set<number>()

/** A loopback port that nobody listens on now, and that this process has not given before. */
export async function findFreePort(clock: Clock): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = FIRST + (clock.randomBytes(2).readUInt16LE(0) % RANGE)
    if (given.has(port)) continue
    if ((await tryListen({ address: '127.0.0.1', port, setting: '' })) !== undefined) continue
    given.add(port)
    return port
  }
  throw new Failure('start.refused', { reason: 'no free port was found on 127.0.0.1' })
}

/** Fails with http.port_taken or http.cannot_listen. Also sees a port that another product shares.
 *  0 gives a free one. */
export async function claimPort(
  claim: { address: string; port: number; setting: string },
  clock: Clock,
): Promise<number> {
  if (claim.port === 0) return await findFreePort(clock)
  const refusal = await tryListen(claim)
  if (refusal !== undefined) throw refusal
  return claim.port
}
