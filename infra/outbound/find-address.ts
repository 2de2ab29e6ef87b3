// The guard of what goes out (docs/decisions/0047): resolves a name once, and gives the address
// that is then connected to, so that no second answer of the name service leads elsewhere. Accounts
// are made by operators, and inner networks and this machine are what they are for. Refused is what
// no log comes from and what would give away more than was asked for: the services by which clouds
// tell a machine its own credentials, and addresses of no one machine. Addresses that others give
// reach the public internet alone (docs/decisions/0063).
import { lookup, Resolver } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { joinSignals } from '../join-signals.ts'
import { isPublicAddress } from './public-addresses.ts'

export type FoundAddress = { readonly address: string; readonly family: 4 | 6 }

const NAME_MS = 5000
/** Beside the link-local ones: by which clouds give a machine its credentials. */
const CLOUD_ADDRESSES = ['100.100.100.200', '168.63.129.16', '192.0.0.192']
const REFUSED = makeRefused()

/** All addresses of a name, in the order of the name service. */
export type Lookup = (host: string) => Promise<readonly { address: string; family: number }[]>

export type Reach = {
  /** `inner`: private networks and this machine, too. */
  readonly to: 'inner' | 'public'
  /** In place of the usual one. */
  readonly lookup?: Lookup
}

/** The first of them. Throws OutboundError. */
export async function findAddress(
  host: string,
  signal: AbortSignal,
  reach?: Reach,
): Promise<FoundAddress> {
  const [first] = await findAddresses(host, signal, reach)
  return first
}

/** Those that may be connected to. Throws OutboundError. */
export async function findAddresses(
  host: string,
  signal: AbortSignal,
  { to, lookup = to === 'public' ? askServers : askSystem }: Reach = { to: 'inner' },
): Promise<readonly [FoundAddress, ...FoundAddress[]]> {
  const bare = host.replace(/^\[|\]$/g, '')
  if (to === 'public') return await findPublic(bare, signal, lookup)
  const found = await resolve(bare, signal, lookup)
  const [allowed, ...others] = found.filter((it) => !isRefused(it))
  if (allowed === undefined)
    throw new OutboundError(`the product does not connect to the address ${found[0]?.address}`)
  return [allowed, ...others]
}

/** Its message may be shown to whoever made the account: it holds nothing that the other side
 *  said. */
export class OutboundError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'OutboundError'
  }
}

/** One text for all that it refuses: who gave the name learns nothing of an inner name service. A
 *  name with one inner address is refused with all of them. */
async function findPublic(
  host: string,
  signal: AbortSignal,
  lookup: Lookup,
): Promise<readonly [FoundAddress, ...FoundAddress[]]> {
  const found = await resolve(host, signal, lookup).catch((error: unknown) => {
    if (signal.aborted) throw error
    return []
  })
  const [first, ...others] = found
  if (first === undefined || !found.every(({ address }) => isPublicAddress(address)))
    throw new OutboundError('it is no address of the public internet')
  return [first, ...others]
}

function isRefused({ address, family }: FoundAddress): boolean {
  return REFUSED.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** With the names of this machine. */
async function askSystem(host: string) {
  return await lookup(host, { all: true, verbatim: true })
}

/** The servers of names alone: without this machine's own names, and without a thread of the few
 *  that the process has, which a slow server would hold. */
async function askServers(host: string) {
  const resolver = new Resolver({ timeout: NAME_MS / 2, tries: 2 })
  const asked = [resolver.resolve4(host), resolver.resolve6(host)] as const
  const [ipv4, ipv6] = await Promise.allSettled(asked)
  const of = (found: PromiseSettledResult<string[]>, family: 4 | 6) =>
    found.status === 'fulfilled' ? found.value.map((address) => ({ address, family })) : []
  return [...of(ipv4, 4), ...of(ipv6, 6)]
}

async function resolve(
  host: string,
  signal: AbortSignal,
  ask: Lookup,
): Promise<readonly FoundAddress[]> {
  const own = isIP(host)
  if (own !== 0) return [{ address: host, family: own === 6 ? 6 : 4 }]
  const { signal: late, leave } = joinSignals([signal, AbortSignal.timeout(NAME_MS)])
  const ended = new Promise<never>((_, reject) => {
    late.addEventListener('abort', () => reject(new Error('late')), { once: true })
  })
  try {
    const found = await Promise.race([ask(host), ended])
    return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
  } catch (error) {
    const reason = late.aborted ? 'the name service does not answer' : `there is no host ${host}`
    throw new OutboundError(reason, error)
  } finally {
    leave()
  }
}

/** Addresses of IPv4 inside IPv6 (::ffff:…) are judged as those of IPv4. */
function makeRefused(): BlockList {
  const list = new BlockList()
  list.addSubnet('0.0.0.0', 8)
  list.addSubnet('169.254.0.0', 16)
  list.addSubnet('224.0.0.0', 3)
  for (const address of CLOUD_ADDRESSES) list.addAddress(address)
  list.addAddress('::', 'ipv6')
  list.addSubnet('fe80::', 10, 'ipv6')
  list.addSubnet('ff00::', 8, 'ipv6')
  list.addAddress('fd00:ec2::254', 'ipv6')
  list.addAddress('fd20:ce::254', 'ipv6')
  // IPv4 in other forms inside IPv6: compatible (but ::1) and translated addresses, Teredo, 6to4,
  // NAT64.
  list.addRange('::2', '::ffff:ffff', 'ipv6')
  list.addSubnet('::ffff:0:0:0', 96, 'ipv6')
  list.addSubnet('2001::', 32, 'ipv6')
  list.addSubnet('2002::', 16, 'ipv6')
  list.addSubnet('64:ff9b:1::', 48, 'ipv6')
  list.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6')
  for (const address of CLOUD_ADDRESSES) list.addAddress(`64:ff9b::${address}`, 'ipv6')
  return list
}
