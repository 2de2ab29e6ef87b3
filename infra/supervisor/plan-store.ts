// Where the store process of a start listens: embedded on any port of this machine, or, in a start
// of the role `store` alone, at LOGEYE_STORE_URL, by which the starts of other roles reach it.
import { Failure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config-schema.ts'
import { claimPort, findFreePort } from './free-port.ts'
import type { Supervision } from './messages.ts'

const SETTING = 'LOGEYE_STORE_URL'
const HTTP_PORT = 80
/** Whoever has it reads and writes everything. */
const LEAST_PASSWORD = 16

type Roles = Pick<Config, 'roles' | 'storeUrl'>

/** Whether this start is the store of others, and nothing else. */
export function servesStore({ roles, storeUrl }: Roles): boolean {
  return storeUrl !== undefined && roles.every((role) => role === 'store')
}

/** undefined: the store is elsewhere. Fails with start.refused, http.port_taken,
 *  http.cannot_listen. */
export async function planStore(config: Roles, clock: Clock): Promise<Supervision['store']> {
  const { roles, storeUrl } = config
  if (!roles.includes('store')) return undefined
  if (storeUrl === undefined) {
    const password = clock.randomBytes(24).toString('hex')
    return { address: '127.0.0.1', port: await findFreePort(clock), password }
  }
  if (!servesStore(config)) return undefined
  const place = readPlace(new URL(storeUrl.reveal()))
  await claimPort({ ...place, setting: SETTING }, clock)
  return place
}

function readPlace(url: URL): NonNullable<Supervision['store']> {
  const password = decodeURIComponent(url.password)
  if (url.protocol !== 'http:') throw refused('the role store speaks http, not https')
  if (password.length < LEAST_PASSWORD)
    throw refused(`the role store needs a password of ${LEAST_PASSWORD} characters in it`)
  const address = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return { address, port: Number(url.port || HTTP_PORT), password }
}

function refused(reason: string): Failure {
  return new Failure('start.refused', { reason: `${SETTING}: ${reason}` })
}
